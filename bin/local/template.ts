/** The synthesized CloudFormation template as the local stack uses it: its resources, and the values of its intrinsic functions. */

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export type Properties = Readonly<Record<string, unknown>>;

type Found = [id: string, properties: Properties, resource: Resource];

export function resourcesOfType(template: Template, type: string): Found[] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => [id, resource.Properties ?? {}, resource]);
}

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

export const tableArn = (name: string): string => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;

export const queueArn = (name: string): string => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;

/** `id`: a key's id or its ARN. */
export const keyArn = (id: string): string =>
  id.startsWith('arn:') ? id : `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;

export const parameterArn = (name: string): string => `arn:aws:ssm:${REGION}:${ACCOUNT}:parameter${name}`;

export const eventBusArn = (name = 'default'): string => `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/${name}`;

/** `name`: an address, or its domain. */
export const identityArn = (name: string): string => `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${name}`;

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::StackName': 'local',
  'AWS::URLSuffix': 'amazonaws.com',
};

interface Physical {
  /** The value of `Ref`: the queue's URL, the table's name. */
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A template, and the local counterpart of each logical id. One without it is known by its id, so that others can refer to it. */
export class PhysicalResources {
  readonly template: Template;
  readonly #known = new Map<string, Physical>();

  constructor(template: Template = { Resources: {} }) {
    this.template = template;
  }

  /** `resourcesOfType` with resolved intrinsic functions. @throws Error for one that the local stack does not support */
  declared(type: string): Found[] {
    return resourcesOfType(this.template, type).map(([id, raw, resource]) => [
      id,
      resolvedMembers(raw, this),
      resource,
    ]);
  }

  set(id: string, physical: Physical): void {
    this.#known.set(id, physical);
  }

  ref(id: string): string {
    return PSEUDO_PARAMETERS[id] ?? this.#known.get(id)?.ref ?? id;
  }

  attribute(id: string, name: string): string {
    return this.#known.get(id)?.attributes?.[name] ?? `${id}.${name}`;
  }
}

type Intrinsic = (argument: never, resources: PhysicalResources) => unknown;

/** Those that the CDK writes into the template of a stack. */
const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (id: string, resources) => resources.ref(id),
  'Fn::GetAtt': ([id, name]: [string, string], resources) => resources.attribute(id, name),
  'Fn::Join': ([separator, parts]: [string, unknown], resources) =>
    (resolveIntrinsics(parts, resources) as unknown[]).join(separator),
  'Fn::Sub': (text: string, resources) => text.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => resources.ref(name)),
};

/** @throws Error for an intrinsic function that the local stack does not support */
export function resolveIntrinsics(value: unknown, resources: PhysicalResources): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, resources));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = [''], ...others] = Object.entries(value);
  if (others.length > 0 || !(name === 'Ref' || name.startsWith('Fn::'))) return resolvedMembers(value, resources);
  const intrinsic = INTRINSICS[name];
  if (intrinsic === undefined) throw new Error(`The local stack does not support ${name}.`);
  return intrinsic(argument as never, resources);
}

const resolvedMembers = (value: object, resources: PhysicalResources): Properties =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveIntrinsics(member, resources)]));

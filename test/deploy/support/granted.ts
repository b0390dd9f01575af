/** What the roles of a template allow, function by function. */
import { type Template, resourcesOfType } from '../../../bin/local/template.ts';

export interface Granted {
  /** Logical id of the function. */
  readonly caller: string;
  readonly action: string;
  /** `table`, an index of it by name, `queue` or `key`. */
  readonly on: string;
  /** Pattern of the leading keys. */
  readonly keys?: string;
}

/** What Lambda itself does with any function's role. */
const LAMBDA_OWN: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda opens a stream for each execution environment',
  'logs:PutLogEvents': 'Lambda delivers what the function writes',
};

/** What Lambda does with the role of a function that an event source feeds. */
const EVENT_SOURCE_OWN: Readonly<Record<string, string>> = {
  ...LAMBDA_OWN,
  'sqs:ReceiveMessage': 'the event source polls the chunk queue',
  'sqs:DeleteMessage': 'the event source deletes what was processed',
  'sqs:ChangeMessageVisibility': 'the event source hands failed messages back',
  'sqs:GetQueueAttributes': 'the event source scales by the length of the queue',
  'sqs:GetQueueUrl': 'the event source finds the queue',
};

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: { readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys': readonly string[] } };
}

export function grantedBy(template: Template): Granted[] {
  const functions = resourcesOfType(template, 'AWS::Lambda::Function');
  const fed = resourcesOfType(template, 'AWS::Lambda::EventSourceMapping');
  return resourcesOfType(template, 'AWS::IAM::Policy').flatMap(([, { Roles, PolicyDocument }]) => {
    const role = JSON.stringify((Roles as unknown[])[0]);
    const caller = functions.find(([, { Role }]) => JSON.stringify(Role).includes(roleIdOf(role)))?.[0] ?? role;
    const isFed = fed.some(([, { FunctionName }]) => JSON.stringify(FunctionName).includes(`"${caller}"`));
    const lambdaOwn = isFed ? EVENT_SOURCE_OWN : LAMBDA_OWN;
    return (PolicyDocument as { Statement: Statement[] }).Statement.flatMap((statement) =>
      granted(caller, statement).filter(({ action }) => !(action in lambdaOwn)),
    );
  });
}

const roleIdOf = (reference: string): string => (JSON.parse(reference) as { Ref: string }).Ref;

function granted(caller: string, { Action, Resource, Condition }: Statement): Granted[] {
  const keys = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [undefined];
  return [Action]
    .flat()
    .flatMap((action) =>
      keys.map((pattern) => ({ caller, action, on: named(Resource), ...(pattern !== undefined && { keys: pattern }) })),
    );
}

function named(resource: unknown): string {
  const text = JSON.stringify(resource);
  const index = /\/index\/([\w-]+)/.exec(text)?.[1];
  if (index !== undefined) return index;
  const kinds = { table: /"Table[0-9A-F]{8}"/, queue: /"ChunksQueue/, key: /"SigningKey/ };
  return Object.entries(kinds).find(([, pattern]) => pattern.test(text))?.[0] ?? text;
}

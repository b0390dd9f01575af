/** The parts of a synthesized CloudFormation template that the local stack runs. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export type Properties = Readonly<Record<string, unknown>>;

/** Every resource of a type, by logical id. */
export function resourcesOfType(
  template: Template,
  type: string,
): [id: string, properties: Properties, resource: Resource][] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => [id, resource.Properties ?? {}, resource]);
}

import type { Functions, LocalFunction } from './functions.ts';
import type { PhysicalResources, Properties, Template } from './template.ts';

export type RouteTable = ReturnType<typeof routeTable>;
export type RouteMatch = NonNullable<ReturnType<RouteTable>>;

/** The template's REST API: the route of a method and a path. The most literal path that has the method wins. */
export function routeTable(resources: PhysicalResources, functions: Functions) {
  const all = resources.declared('AWS::ApiGateway::Method').map(([, properties, { Properties: raw }]) => {
    const resource = pathOf(raw?.['ResourceId'], resources.template);
    return { resource, method: String(properties['HttpMethod']), target: targetOf(resource, properties, functions) };
  });
  const entries = [...Map.groupBy(all, ({ resource }) => resource)]
    .map(([resource, of]) => ({
      resource,
      segments: resource.split('/'),
      methods: new Map(of.map(({ method, target }) => [method, target])),
    }))
    .toSorted(({ segments: one }, { segments: other }) => rankOf(one) - rankOf(other));
  /** The parameters stay encoded: a REST API does not decode them. */
  return (method: string, rawPath: string) => {
    const sent = rawPath.split('/');
    for (const { resource, segments, methods } of entries) {
      const target = methods.get(method) ?? methods.get('ANY');
      const pathParameters = matchSegments(segments, sent);
      if (target && pathParameters) return { resource, target, pathParameters };
    }
    return undefined;
  };
}

/** The path of a resource of the API: the parts of its parents and its own. The root is no resource of the template. */
function pathOf(reference: unknown, template: Template): string {
  const id = (reference as { Ref?: string }).Ref;
  if (id === undefined) return '/';
  const { ParentId, PathPart } = template.Resources[id]?.Properties ?? {};
  return `${pathOf(ParentId, template).replace(/\/$/, '')}/${String(PathPart)}`;
}

function targetOf(resource: string, properties: Properties, functions: Functions): LocalFunction {
  const { Uri } = properties['Integration'] as { readonly Uri?: string };
  const [, arn = ''] = /\/functions\/(.+)\/invocations$/.exec(Uri ?? '') ?? [];
  const target = functions.get(arn);
  if (target === undefined) throw new Error(`${String(properties['HttpMethod'])} ${resource} has no function`);
  return target;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isGreedy = (segment: string): boolean => segment.endsWith('+}');

/** A greedy path comes after all others, and the longer one of two greedy paths first. */
const rankOf = (segments: readonly string[]): number =>
  segments.some(isGreedy) ? 1000 - segments.length : segments.filter(isParameter).length;

function matchSegments(wanted: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  const parameters: [string, string][] = [];
  for (const [position, segment] of wanted.entries()) {
    const value = isGreedy(segment) ? sent.slice(position).join('/') : sent[position];
    if (isParameter(segment)) {
      if (value === undefined || value === '') return undefined;
      parameters.push([segment.replaceAll(/[{}+]/g, ''), value]);
    } else if (segment !== decoded(value)) {
      return undefined;
    }
  }
  const isWhole = wanted.length === sent.length || isGreedy(wanted.at(-1) ?? '');
  return isWhole ? Object.fromEntries(parameters) : undefined;
}

/** A segment with invalid percent-encoding stays as sent. */
function decoded(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

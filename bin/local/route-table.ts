import type { Functions, LocalFunction } from './functions.ts';
import {
  type PhysicalResources,
  type Properties,
  type Template,
  resolveIntrinsics,
  resourcesOfType,
} from './template.ts';

export interface RouteMatch {
  readonly routeKey: string;
  readonly target: LocalFunction;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Entry {
  readonly routeKey: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly target: LocalFunction;
}

const DEFAULT_ROUTE = '$default';

/** The template's HTTP API routes. The most literal route wins; `$default` gets everything else. */
export class RouteTable {
  readonly #entries: readonly Entry[];
  readonly #default: LocalFunction | undefined;

  constructor(template: Template, resources: PhysicalResources, functions: Functions) {
    const routes = resourcesOfType(template, 'AWS::ApiGatewayV2::Route').map(([, raw]) => {
      const properties = resolveIntrinsics(raw, resources) as Properties;
      return { routeKey: String(properties['RouteKey']), target: targetOf(properties, template, resources, functions) };
    });
    this.#default = routes.find(({ routeKey }) => routeKey === DEFAULT_ROUTE)?.target;
    this.#entries = routes
      .filter(({ routeKey }) => routeKey !== DEFAULT_ROUTE)
      .map(({ routeKey, target }) => {
        const [method = '', path = ''] = routeKey.split(' ');
        return { routeKey, method, segments: path.split('/'), target };
      })
      .toSorted((one, other) => parameterCount(one) - parameterCount(other));
  }

  match(method: string, rawPath: string): RouteMatch | undefined {
    const sent = rawPath.split('/').map(decodeSegment);
    for (const { routeKey, method: wanted, segments, target } of this.#entries) {
      if (wanted !== method && wanted !== 'ANY') continue;
      const pathParameters = matchSegments(segments, sent);
      if (pathParameters !== undefined) return { routeKey, target, pathParameters };
    }
    return this.#default && { routeKey: DEFAULT_ROUTE, target: this.#default, pathParameters: {} };
  }
}

function targetOf(
  route: Properties,
  template: Template,
  resources: PhysicalResources,
  functions: Functions,
): LocalFunction {
  const integration = template.Resources[String(route['Target']).replace('integrations/', '')];
  const arn = resolveIntrinsics(integration?.Properties?.['IntegrationUri'], resources);
  const target = functions.get(String(arn));
  if (target === undefined) throw new Error(`The route ${String(route['RouteKey'])} has no function`);
  return target;
}

const parameterCount = ({ segments }: Entry): number => segments.filter(isParameter).length;
const isParameter = (segment: string): boolean => segment.startsWith('{');

function matchSegments(wanted: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== sent.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [position, segment] of wanted.entries()) {
    const value = sent[position] as string;
    if (isParameter(segment)) {
      if (value === '') return undefined;
      parameters.push([segment.slice(1, -1), value]);
    } else if (segment !== value) {
      return undefined;
    }
  }
  return Object.fromEntries(parameters);
}

/** A segment with invalid percent-encoding stays as sent. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

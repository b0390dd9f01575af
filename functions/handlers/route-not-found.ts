import { staticOperation } from '../http/chain.ts';
import { grantPreflight } from '../http/response.ts';
import { RequestRejected, type ApiRequest, type ApiResponse } from '../http/types.ts';
import * as ENV from '../runtime/variables.ts';
import { EVIDENCE_ROUTES, PAGE_PATHS, ROUTES } from '../shared/routes.ts';

/** Rejects what no route matches: 405 with `Allow` where the path has other methods (`HEAD` too), else 404. */
export async function routeNotFound(
  { path: { proxy = '' } }: Pick<ApiRequest, 'path'>,
  environment: ENV.Environment,
): Promise<ApiResponse> {
  const parts = environment[ENV.apiParts]?.split(',') ?? [];
  const allow = methodsOf(`/${proxy}`, parts).toSorted();
  if (allow.length === 0) throw new RequestRejected('route_not_found', 'There is no such path.');
  throw new RequestRejected('method_not_allowed', `This path takes ${allow.join(' and ')} only.`, { allow });
}

/** A path that a setting has switched off has no methods. */
function methodsOf(sent: string, parts: readonly string[]): string[] {
  const routes = ROUTES.filter(({ name }) => parts.includes('evidence') || !EVIDENCE_ROUTES.has(name));
  const isPage = parts.includes('page') && PAGE_PATHS.some((path) => patternOf(path).test(sent));
  return [
    ...routes.filter(({ path }) => patternOf(path).test(sent)).map(({ method }) => method),
    ...(isPage ? ['GET'] : []),
  ];
}

/** A parameter of a path is any segment that is not empty, a greedy one any number of them. */
function patternOf(path: string): RegExp {
  const segments = path
    .replaceAll('.', '\\.')
    .replace('{proxy+}', '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${segments}$`);
}

export const handler = staticOperation((request) => routeNotFound(request, process.env), grantPreflight);

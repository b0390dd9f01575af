import { staticOperation } from '../http/chain.ts';
import { grantPreflight } from '../http/response.ts';
import { RequestRejected, type ApiRequest, type ApiResponse } from '../http/types.ts';
import { ROUTES } from '../shared/routes.ts';

/** Rejects what no route matches: 405 with `Allow` where the path has other methods (`HEAD` too), else 404. */
export async function routeNotFound({
  path: { proxy = '' },
  route,
}: Pick<ApiRequest, 'path' | 'route'>): Promise<ApiResponse> {
  const methods = methodsOf(`/${proxy}`);
  const isOff = methods.some((method) => route.startsWith(`${method} `));
  if (methods.length === 0 || isOff) throw new RequestRejected('route_not_found', 'There is no such path.');
  const allow = methods.toSorted();
  throw new RequestRejected('method_not_allowed', `This path takes ${allow.join(' and ')} only.`, { allow });
}

/** A parameter of a path is any segment that is not empty. */
const methodsOf = (sent: string): string[] =>
  ROUTES.filter(({ path }) =>
    new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(sent),
  ).map(({ method }) => method);

export const handler = staticOperation(routeNotFound, grantPreflight);

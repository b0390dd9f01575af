import type { ApiRequest } from './types.ts';
import { routePath } from '../shared/routes.ts';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/;

/** The address of an operation of authentication, by the host that the caller called. Plain HTTP is of this machine alone. */
export function addressOf(name: 'get-token' | 'get-jwks', { host = '', basePath }: ApiRequest): string {
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}${basePath}${routePath(name, {})}`;
}

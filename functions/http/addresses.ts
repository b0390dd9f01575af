import type { ApiRequest } from './types.ts';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/;

type Called = Pick<ApiRequest, 'host' | 'basePath'>;

/** The address of an operation of authentication, by the host that the caller called. Plain HTTP is of this machine alone. */
export const addressOf = ({ path }: { readonly path: string }, request: Called): string => `${baseOf(request)}${path}`;

/** The address of the page, where the stack serves it. */
export const pageAddress = (request: Called): string => `${baseOf(request)}/`;

const baseOf = ({ host = '', basePath }: Called): string =>
  `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}${basePath}`;

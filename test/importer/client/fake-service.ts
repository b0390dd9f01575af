import {
  ServiceError,
  ServiceUnreachable,
  type HttpResponse,
  type HttpRequest,
  type Transport,
} from '../../../bin/importer/client/index.ts';

export type Reply =
  | { status: number; body: unknown; headers?: Record<string, string>; retryAfterSeconds?: number }
  | 'unreachable';

/** A transport that returns the given responses, and records the requests. */
export function fakeService(reply: (request: HttpRequest, count: number) => Reply) {
  const requests: HttpRequest[] = [];
  const transport: Transport = async <Body>(request: HttpRequest): Promise<HttpResponse<Body>> => {
    requests.push(request);
    const response = reply(request, requests.length);
    if (response === 'unreachable') throw new ServiceUnreachable('the service cannot be reached');
    const { status, body, headers = {}, retryAfterSeconds } = response;
    if (status >= 400) throw new ServiceError(status, body, retryAfterSeconds);
    return { status, body: body as Body, headers: new Headers(headers), retryAfterSeconds };
  };
  return { transport, requests };
}

/** A token with its times of issue and expiry, in seconds since the epoch; its signature is not valid. */
export function tokenFor(iat: number, exp: number, name = 'token'): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ iat, exp, jti: name, company_id: 'acme' })}.x`;
}

export const envelope = (error_code: string) => ({
  errors: [{ error_code, message: 'for the test' }],
  request_id: 'r-1',
});

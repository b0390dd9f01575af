import {
  ServiceError,
  ServiceUnreachable,
  type HttpResponse,
  type HttpRequest,
  type Transport,
} from '../../bin/client/index.ts';

export type Reply =
  | { status: number; body: unknown; headers?: Record<string, string>; retryAfterSeconds?: number }
  | 'unreachable';

/** A transport that answers as it is told, and remembers what it was asked. */
export function fakeService(reply: (request: HttpRequest, count: number) => Reply) {
  const requests: HttpRequest[] = [];
  const transport: Transport = async <Body>(request: HttpRequest): Promise<HttpResponse<Body>> => {
    requests.push(request);
    const answer = reply(request, requests.length);
    if (answer === 'unreachable') throw new ServiceUnreachable('nobody there');
    const { status, body, headers = {}, retryAfterSeconds } = answer;
    if (status >= 400) throw new ServiceError(status, body, retryAfterSeconds);
    return { status, body: body as Body, headers: new Headers(headers), retryAfterSeconds };
  };
  return { transport, requests };
}

/** A token that says when it was issued and ends, in seconds from the epoch; nobody checks its signature here. */
export function tokenFor(iat: number, exp: number, name = 'token'): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ iat, exp, jti: name, company_id: 'acme' })}.x`;
}

export const envelope = (error_code: string) => ({ errors: [{ error_code, message: 'as told' }], request_id: 'r-1' });

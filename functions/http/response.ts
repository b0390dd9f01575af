/**
 * The end of a request: renders its response or error for API Gateway, with the headers that every response has, and logs it.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { envelope, failureOf } from './errors.ts';
import { RequestRejected } from './types.ts';
import type { ApiMiddleware, ApiResponse, IncomingRequest, RequestState } from './types.ts';
import { isImportId } from '../records/identifiers.ts';
import { METRIC } from '../runtime/metric-names.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { CoreServices } from '../services/services.ts';

export interface RenderOptions {
  readonly telemetry: Telemetry;
  readonly isProtected: boolean;
}

export function renderResponse({ telemetry, isProtected }: RenderOptions): ApiMiddleware {
  return {
    after: (request) => {
      const response = request.response as ApiResponse;
      const importId = (response.body as { readonly import_id?: unknown } | null | undefined)?.import_id;
      if (typeof importId === 'string') request.internal.importId = importId;
      if (response.subject) request.internal.subject = response.subject;
      request.response = render(response, request.event.requestId);
    },
    onError: (request) => {
      const { requestId } = request.event;
      const failure = failureOf(request.error);
      const code = failure.problem.error_code;
      if (request.error instanceof RequestRejected && request.error.subject)
        request.internal.subject = request.error.subject;
      request.internal.errorCode = code;
      if (code === 'internal_error') {
        telemetry.count(METRIC.internalErrors);
        telemetry.error('The operation failed.', request.error, {
          request_id: requestId,
          route: request.internal.route,
        });
      }
      if (code === 'temporarily_unavailable') telemetry.count(METRIC.temporarilyUnavailable);
      request.response = render(envelope(failure, requestId, isProtected), requestId);
    },
  };
}

/** Without a body there is no content to name the type of. */
function render(response: ApiResponse, requestId: string): APIGatewayProxyResult {
  const hasBody = response.body !== undefined;
  return {
    statusCode: response.statusCode,
    headers: {
      ...(hasBody && { 'content-type': 'application/json; charset=utf-8' }),
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      // An operation whose response may be cached sets the header itself.
      'cache-control': 'no-store',
      ...lowerCased(response.headers),
      'x-request-id': requestId,
    },
    body: hasBody ? JSON.stringify(response.body) : '',
  };
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** No credentials: the API uses no cookies, a page sends its token itself. */
const EXPOSED = { 'access-control-expose-headers': 'location, retry-after, idempotent-replayed, x-request-id' };
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '3600',
};

/** Lets pages of these origins read the responses, and grants their preflight requests, which have no route of their own. */
export function allowOrigins(origins: readonly string[]): ApiMiddleware {
  const allow: NonNullable<ApiMiddleware['after']> = (request) => {
    const { origin } = request.event.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    const result = request.response as APIGatewayProxyResult;
    const headers = { ...result.headers, 'access-control-allow-origin': origin, vary: 'origin' };
    if (request.internal.route?.startsWith('OPTIONS ') === true) {
      delete request.internal.errorCode;
      request.response = { statusCode: 204, headers: { ...headers, ...PREFLIGHT }, body: '' };
    } else {
      request.response = { ...result, headers: { ...headers, ...EXPOSED } };
    }
  };
  return { after: allow, onError: allow };
}

/**
 * One structured log line a request: the route, how it ended, how long it took, who sent it and from which address, refusals
 * included; never bodies, tokens or e-mail addresses.
 */
export function logRequest({ telemetry, clock }: Pick<CoreServices, 'telemetry' | 'clock'>): ApiMiddleware {
  let isColdStart = true;
  const log: NonNullable<ApiMiddleware['after']> = ({ event, response, internal }) => {
    telemetry.info('request', {
      request_id: event.requestId,
      route: internal.route,
      status: (response as APIGatewayProxyResult).statusCode,
      error_code: internal.errorCode,
      duration_ms: Math.round(clock.nowMs() - (internal.startedAtMs ?? clock.nowMs())),
      cold_start: isColdStart,
      source_ip: event.sourceIp,
      // The company of the token, not of the path: a path may hold anything.
      ...internal.subject,
      import_id: importIdOf(event, internal),
    });
    telemetry.flush();
    isColdStart = false;
  };
  return { after: log, onError: log };
}

function importIdOf(event: IncomingRequest, { importId }: RequestState): string | undefined {
  const named = importId ?? event.path['import_id'];
  return named !== undefined && isImportId(named) ? named : undefined;
}

/** The end of a request: renders its response or error, with the headers that every response has, and logs it. */
import * as ENV from '../runtime/variables.ts';
import { hash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import {
  isRendered,
  type ApiMiddleware,
  type ApiRequest,
  type ApiResponse,
  type ChainServices,
  type IncomingRequest,
  type RequestState,
  RequestRejected,
} from './types.ts';
import { isImportId } from '../records/identifiers.ts';
import { isObject } from '../records/json.ts';
import type { processUsage } from '../runtime/system.ts';
import type { Fields } from '../runtime/telemetry.ts';
import { QuotaExceeded, TemporarilyUnavailable } from '../runtime/faults.ts';
import { REQUEST_ERROR_STATUS } from '../shared/codes.ts';

/** Each environment logs one unavailable dependency a second: while one is down, every request fails on it. */
const UNAVAILABLE_LOGGED_EVERY_MS = 1_000;

/** Renders responses and errors. Of an unavailable dependency it logs one line a second at most. */
export function renderResponse({
  telemetry,
  clock,
  isProtected,
}: Pick<ChainServices, 'telemetry' | 'clock'> & { readonly isProtected: boolean }): ApiMiddleware {
  let unavailableLoggedAtMs = Number.NEGATIVE_INFINITY;
  const reportUnavailable = (error: unknown, fields: Fields): void => {
    telemetry.count('TemporarilyUnavailable');
    if (clock.nowMs() - unavailableLoggedAtMs < UNAVAILABLE_LOGGED_EVERY_MS) return;
    unavailableLoggedAtMs = clock.nowMs();
    telemetry.error('A dependency is unavailable. The caller got 503.', error, fields);
  };
  return {
    after: (request) => {
      const { response } = request;
      if (response === null || isRendered(response)) return;
      request.internal.answer = response;
      request.response = render(response, request.event.requestId);
    },
    onError: (request) => {
      const { requestId } = request.event;
      const failure = failureOf(request.error);
      const code = failure.problem.error_code;
      if (failure.options.subject) request.internal.subject = failure.options.subject;
      request.internal.errorCode = code;
      const fields = { request_id: requestId, route: request.event.route, ...callOf(request) };
      if (code === 'internal_error') {
        telemetry.count('InternalErrors');
        telemetry.error('The operation failed.', request.error, fields);
      }
      if (code === 'too_many_requests') telemetry.count('CallsThrottled');
      if (code === 'temporarily_unavailable') reportUnavailable(request.error, fields);
      request.response = render(envelope(failure, requestId, isProtected), requestId);
    },
  };
}

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
      ...response.headers,
      'x-request-id': requestId,
    },
    body: hasBody ? JSON.stringify(response.body) : '',
  };
}

interface Revalidated {
  /** The body is made from this value: equal values give equal bodies. */
  readonly from: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called only if the client has no current copy. */
  readonly body: () => object | Promise<object>;
}

/** 200 with a weak `ETag`, or 304 where `If-None-Match` names it (RFC 9110). A new version has new tags. */
export async function revalidated(
  { headers: sent }: Pick<ApiRequest, 'headers'>,
  { from, headers: others, body }: Revalidated,
): Promise<ApiResponse> {
  const text = JSON.stringify([process.env[ENV.version], from]);
  const opaque = `"${hash('sha256', text, 'base64url')}"`;
  const headers = { ...others, etag: `W/${opaque}` };
  return namesTag(opaque, sent['if-none-match'])
    ? { statusCode: 304, headers, body: undefined }
    : { statusCode: 200, headers, body: await body() };
}

/** Whether `If-None-Match` names the tag, by the weak comparison; `*` is any tag. Anything else names no tag. */
export function namesTag(opaque: string, ifNoneMatch = ''): boolean {
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque);
}

/** No credentials: the API uses no cookies, a page sends its token itself. */
const ALLOWED = 'access-control-allow-origin';
const EXPOSED = {
  'access-control-expose-headers':
    'etag, location, retry-after, idempotent-replayed, ratelimit, ratelimit-policy, x-request-id',
};

/** Lets pages of these origins read responses, errors included; without origins it adds no header. */
export function allowOrigins(origins: readonly string[]): ApiMiddleware {
  const allow: NonNullable<ApiMiddleware['after']> = (request) => {
    const { origin } = request.event.headers;
    const result = request.response;
    if (origins.length === 0 || !isRendered(result)) return;
    // Also where no origin matches: a cache must not serve that response to a page of these origins.
    const varying = { ...result.headers, vary: 'origin' };
    request.response = { ...result, headers: varying };
    if (origin === undefined || !origins.includes(origin)) return;
    request.response = { ...result, headers: { ...varying, [ALLOWED]: origin, ...EXPOSED } };
  };
  return { after: allow, onError: allow };
}

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers':
    'authorization, content-encoding, content-type, idempotency-key, if-match, if-none-match',
  'access-control-max-age': '3600',
};

/** Grants the preflight requests of these pages, which have no route of their own. */
export const grantPreflight: ApiMiddleware = {
  onError: (request) => {
    const { response, event, internal } = request;
    const origin = isRendered(response) ? response.headers?.[ALLOWED] : undefined;
    if (origin === undefined || !event.route.startsWith('OPTIONS ')) return;
    delete internal.errorCode;
    request.response = { statusCode: 204, headers: { ...response?.headers, ...PREFLIGHT }, body: '' };
  },
};

/** One structured log line a request, refusals included; never bodies, tokens or e-mail addresses. */
export function logRequest({
  telemetry,
  clock,
  usage,
}: Pick<ChainServices, 'telemetry' | 'clock'> & { readonly usage: ReturnType<typeof processUsage> }): ApiMiddleware {
  const log: NonNullable<ApiMiddleware['after']> = ({ event, response, internal }) => {
    telemetry.info('request', {
      request_id: event.requestId,
      route: event.route,
      status: response?.statusCode,
      error_code: internal.errorCode,
      duration_ms: Math.round(clock.nowMs() - event.receivedAtMs),
      ...usage(),
      source_ip: event.sourceIp,
      ...callOf({ event, internal }),
    });
    telemetry.flush();
  };
  return { after: log, onError: log };
}

/** The caller and the import of a request. The company is that of the token, not of the path: a path may contain anything. */
function callOf({
  event,
  internal: { answer, subject },
}: {
  readonly event: IncomingRequest;
  readonly internal: RequestState;
}): Fields {
  const answered = isObject(answer?.body) ? answer.body['import_id'] : undefined;
  const import_id = typeof answered === 'string' ? answered : event.path['import_id'];
  return { ...subject, ...answer?.subject, import_id: import_id && isImportId(import_id) ? import_id : undefined };
}

/** Long enough for a throttled table to recover, short enough for a client to wait. */
const RETRY_AFTER_SECONDS = 2;

/** The error of the caller: a rejection as it is, quota 429, unavailable dependency 503, fault 500 without its cause. */
export function failureOf(error: unknown): RequestRejected {
  if (error instanceof RequestRejected) return error;
  if (error instanceof QuotaExceeded) return new RequestRejected('too_many_requests', error.message, error);
  if (error instanceof TemporarilyUnavailable)
    return new RequestRejected('temporarily_unavailable', 'The service is busy. It is safe to repeat the request.');
  return new RequestRejected('internal_error', 'The service failed. Report the request id to find out why.');
}

/** `isProtected`: a 401 says how to authenticate (RFC 6750, section 3). */
export function envelope(
  { problem, options: { others = [], retryAfterSeconds, headers, allow } }: RequestRejected,
  requestId: string,
  isProtected: boolean,
): ApiResponse {
  const { error_code } = problem;
  const statusCode = REQUEST_ERROR_STATUS[error_code];
  const isRetried = statusCode === 429 || statusCode === 503;
  const retryAfter = retryAfterSeconds ?? (isRetried ? RETRY_AFTER_SECONDS : undefined);
  return {
    statusCode,
    headers: {
      ...(isProtected && statusCode === 401 && { 'www-authenticate': 'Bearer' }),
      ...(allow && { allow: allow.join(', ') }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    body: { errors: [problem, ...others], request_id: requestId },
  };
}

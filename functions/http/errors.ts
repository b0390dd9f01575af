/** The one error envelope (§7.2): `{ errors: [{ error_code, message, field? }], request_id }`. */
import { type ApiResponse, RequestRejected } from './types.ts';
import { QuotaExceeded, TemporarilyUnavailable } from '../runtime/faults.ts';
import { REQUEST_ERROR_STATUS, type RequestErrorCode } from '../shared/codes.ts';

/** Long enough for a throttled table to recover, short enough for a client to wait. */
const RETRY_AFTER_SECONDS = 2;
const RETRIED: ReadonlySet<RequestErrorCode> = new Set(['too_many_requests', 'temporarily_unavailable']);

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
  { problem, others, retryAfterSeconds, allow }: RequestRejected,
  requestId: string,
  isProtected: boolean,
): ApiResponse {
  const { error_code } = problem;
  const retryAfter = retryAfterSeconds ?? (RETRIED.has(error_code) ? RETRY_AFTER_SECONDS : undefined);
  return {
    statusCode: REQUEST_ERROR_STATUS[error_code],
    headers: {
      ...(isProtected && error_code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
      ...(allow && { allow: allow.join(', ') }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: { errors: [problem, ...others], request_id: requestId },
  };
}

/** The one error envelope (§7.2): `{ errors: [{ error_code, message, field? }], request_id }`. */
import { RequestRejected, type ApiResponse } from './types.ts';
import { QuotaExceeded, TemporarilyUnavailable } from '../runtime/faults.ts';
import { REQUEST_ERROR_STATUS, type Problem, type RequestErrorCode } from '../shared/codes.ts';

export interface Failure {
  /** Decides the status. */
  readonly problem: Problem<RequestErrorCode>;
  /** The other problems of the request. */
  readonly others?: readonly Problem<RequestErrorCode>[];
  readonly retryAfterSeconds?: number | undefined;
  readonly allow?: readonly string[] | undefined;
}

/** Long enough for a throttled table to recover, short enough for a client to wait. */
const RETRY_AFTER_SECONDS = 2;

/** The error of the caller: a rejection as it is, quota 429, unavailable dependency 503, fault 500 without its cause. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestRejected) {
    return {
      problem: error.problem,
      others: error.others,
      allow: error.allow,
      retryAfterSeconds: error.retryAfterSeconds ?? retryAfterOf(error.problem.error_code),
    };
  }
  if (error instanceof QuotaExceeded) {
    const { message, retryAfterSeconds } = error;
    return { problem: { error_code: 'too_many_requests', message }, retryAfterSeconds };
  }
  if (error instanceof TemporarilyUnavailable) {
    const message = 'The service is busy. It is safe to repeat the request.';
    return { problem: { error_code: 'temporarily_unavailable', message }, retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  return {
    problem: { error_code: 'internal_error', message: 'The service failed. Report the request id to find out why.' },
  };
}

/** `isProtected`: a 401 says how to authenticate (RFC 6750, section 3). */
export function envelope(
  { problem, others = [], retryAfterSeconds, allow }: Failure,
  requestId: string,
  isProtected: boolean,
): ApiResponse {
  const challenge = isProtected && problem.error_code === 'unauthorized';
  return {
    statusCode: REQUEST_ERROR_STATUS[problem.error_code],
    headers: {
      ...(challenge && { 'www-authenticate': 'Bearer' }),
      ...(allow && { allow: allow.join(', ') }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: { errors: [problem, ...others], request_id: requestId },
  };
}

function retryAfterOf(code: RequestErrorCode): number | undefined {
  return code === 'too_many_requests' || code === 'temporarily_unavailable' ? RETRY_AFTER_SECONDS : undefined;
}

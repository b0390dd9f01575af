import type { RequestErrorCode } from '../domain/codes.ts';

/** HTTP status of every request error (§7.1, §7.2): a new code that is not in the table does not compile. */
export const ERROR_STATUS: Readonly<Record<RequestErrorCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  migrations_not_enabled: 403,
  import_not_found: 404,
  record_not_found: 404,
  route_not_found: 404,
  batch_too_large: 413,
  payload_too_large: 413,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
};

import type { RequestErrorCode } from '../../functions/shared/codes.ts';

export interface RequestErrorSpec {
  readonly status: number;
  readonly when: string;
  /** Of the example, as the service words it. */
  readonly message: string;
  readonly field?: string;
}

/** Every request-level error (§7.1, §7.2): a code that is not in this table does not compile. */
export const REQUEST_ERRORS: Readonly<Record<RequestErrorCode, RequestErrorSpec>> = {
  invalid_request: {
    status: 400,
    when: 'malformed body, header, path or query value, or JSON nested deeper than 32 levels; `field` names the member',
    message: 'the body must be a JSON object',
  },
  unauthorized: {
    status: 401,
    when: 'missing, invalid or expired credentials or token; also the token of a user who is gone or no longer active',
    message: 'A valid access token of an active user is required.',
  },
  forbidden: {
    status: 403,
    when: 'the token is valid, but not of an admin of this company; the same answer whether or not the company exists',
    message: 'Only an admin of this company may do this.',
  },
  migrations_not_enabled: {
    status: 403,
    when: 'the company of the caller has not been enabled for migrations',
    message: 'Migrations are not enabled for this company; its account manager can enable them.',
  },
  import_not_found: {
    status: 404,
    when: 'the company has no such import',
    message: 'this company has no import of that id',
  },
  record_not_found: {
    status: 404,
    when: 'no record of that `external_record_id` was imported',
    message: 'no record of that external_record_id was imported',
    field: 'external_record_id',
  },
  route_not_found: { status: 404, when: 'no such path or method', message: 'There is no such path or method.' },
  batch_too_large: {
    status: 413,
    when: 'over 500 records, over 100 e-mails or over 500 mappings',
    message: 'records must hold at most 500 items',
    field: 'records',
  },
  payload_too_large: {
    status: 413,
    when: 'the body is over 4 MiB',
    message: 'the body must not exceed 4 MiB (4,194,304 bytes)',
  },
  idempotency_key_reused: {
    status: 422,
    when: 'the `Idempotency-Key` was used with another payload (a flipped `dry_run` is another payload)',
    message: 'the Idempotency-Key was used with another payload',
  },
  too_many_requests: {
    status: 429,
    when: 'throttled; wait for `Retry-After`',
    message: 'Too many failed logins; try again later.',
  },
  internal_error: {
    status: 500,
    when: 'a fault of ours; quote `request_id` when you ask for help',
    message: 'The service failed. The request id helps to find out why.',
  },
  temporarily_unavailable: {
    status: 503,
    when: 'a dependency is throttling or down; safe to retry after `Retry-After`',
    message: 'The service is busy. Repeating the request is safe.',
  },
};

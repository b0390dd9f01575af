import type { RequestErrorCode } from '../../functions/shared/codes.ts';
import {
  MAX_BODY_MIB,
  MAX_EMAILS_PER_RESOLVE,
  MAX_MAPPINGS_PER_REQUEST,
  MAX_NESTING_LEVELS,
  MAX_RECORDS_PER_IMPORT,
} from '../../functions/shared/limits.ts';

export interface RequestErrorSpec {
  readonly when: string;
  readonly message: string;
  readonly field?: string;
  /** Other messages, by the operation without a token that gives them. */
  readonly withoutToken?: Readonly<Record<string, string>>;
}

/** When each request-level error is sent (§7.1, §7.2). A code without an entry does not compile. */
export const REQUEST_ERRORS: Readonly<Record<RequestErrorCode, RequestErrorSpec>> = {
  invalid_request: {
    when: `malformed body, header, path or query value, a query parameter or a member of the body that the operation does not define, JSON nested deeper than ${MAX_NESTING_LEVELS} levels or with an object that names a member twice; \`field\` names the member`,
    message: 'The body must be a JSON object, not an array.',
  },
  unauthorized: {
    when: 'missing, invalid or expired credentials or token; also the token of a user who no longer exists or is no longer active, and a refresh token that was spent',
    message: 'A valid access token of an active user is required.',
    withoutToken: {
      login: 'The e-mail address or the password is wrong.',
      refresh: 'A valid refresh token is required.',
    },
  },
  forbidden: {
    when: 'the token is valid, but does not belong to an admin of this company; the response is the same whether or not the company exists',
    message: 'Only an admin of this company may do this.',
  },
  migrations_not_enabled: {
    when: 'the company of the caller has not been enabled for migrations',
    message: 'Migrations are not enabled for this company. Ask its account manager to enable them.',
  },
  import_not_found: {
    when: 'the company has no such import',
    message: 'This company has no import "nothing".',
  },
  record_not_found: {
    when: 'no record of that `external_record_id` was imported',
    message: 'No record "nothing" was imported.',
    field: 'external_record_id',
  },
  run_not_found: {
    when: 'the company has no such run; of the revert of a run of many imports, no dry run of it was requested, as the message says',
    message: 'This company has no run "nothing".',
  },
  learner_not_found: {
    when: 'the company has no such user; also for one who was erased',
    message: 'This company has no learner "999".',
  },
  route_not_found: { when: 'no such path', message: 'There is no such path.' },
  method_not_allowed: {
    when: 'the path has other methods, which `Allow` names',
    message: 'This path takes GET only.',
  },
  import_not_terminal: {
    when: 'the import, or an import of the run, has not ended yet, so it cannot be reverted',
    message: 'This import is still processing. Wait until it has ended, or cancel it, then revert it.',
  },
  run_not_terminal: {
    when: 'an import of the run is still processing, or a revert of the run runs, so no evidence of it can be signed',
    message:
      'An import of this run is still processing, or it is being taken back. Wait until that has ended, then sign.',
  },
  report_expired: {
    when: 'the results of the import, or of an import of the run, have expired, so it cannot be reverted',
    message:
      'The results of import 0f2k3j4h5g6d7s8a9q0w1e2r3t have expired, so it cannot be reverted. What it imported stays.',
  },
  batch_too_large: {
    when: `over ${MAX_RECORDS_PER_IMPORT} records, over ${MAX_EMAILS_PER_RESOLVE} e-mails or over ${MAX_MAPPINGS_PER_REQUEST} mappings`,
    message: `records must have 1 to ${MAX_RECORDS_PER_IMPORT} items, not 501.`,
    field: 'records',
  },
  payload_too_large: {
    when: `the body is over ${MAX_BODY_MIB} MiB; of \`login\` and \`refresh-token\` over 16 KiB, of \`users/resolve\` over 64 KiB`,
    message: `The body must not exceed ${MAX_BODY_MIB} MiB.`,
  },
  idempotency_key_reused: {
    when: 'the `Idempotency-Key` was used with another payload (a flipped `dry_run` is another payload)',
    message:
      'This Idempotency-Key belongs to import 0f2k3j4h5g6d7s8a9q0w1e2r3t, accepted at 2026-01-02T03:04:05.678Z with another payload. Use a new key.',
  },
  too_many_requests: {
    when: 'throttled, or the company has used up a quota of the hour; wait for `Retry-After`',
    message: 'Too many failed logins. Try again later.',
  },
  internal_error: {
    when: 'an internal error; quote `request_id` when you ask for help',
    message: 'The service failed. Report the request id to find out why.',
  },
  temporarily_unavailable: {
    when: 'a dependency is throttling or unavailable; safe to retry after `Retry-After`',
    message: 'The service is busy. It is safe to repeat the request.',
  },
};

import type { RequestErrorCode } from '../../functions/shared/codes.ts';
import {
  MAX_BODY_MIB,
  MAX_EMAILS_PER_RESOLVE,
  MAX_IMPORTS_PREVIEWED,
  MAX_MAPPINGS_PER_REQUEST,
  MAX_NESTING_LEVELS,
  MAX_RECORDS_PER_IMPORT,
} from '../../functions/shared/limits.ts';

interface RequestErrorSpec {
  readonly when: string;
  /** What to do about it, in docs/errors.md. */
  readonly advice: string;
  readonly message: string;
  readonly field?: string;
  /** Other messages, by the operation without a token that gives them. */
  readonly withoutToken?: Readonly<Record<string, string>>;
}

/** When each request-level error is sent (§7.1, §7.2). A code without an entry does not compile. */
export const REQUEST_ERRORS: Readonly<Record<RequestErrorCode, RequestErrorSpec>> = {
  invalid_request: {
    when: `malformed body, header, path or query value; a query parameter or a member of the body that the operation does not define; JSON nested deeper than ${MAX_NESTING_LEVELS} levels, or with an object that names a member twice; an \`Idempotency-Key\` sent twice`,
    advice: 'Correct what `field` and the message name. Do not send the request again unchanged.',
    message: 'The body must be a JSON object, not an array.',
  },
  unauthorized: {
    when: 'missing, invalid or expired credentials or token; the user is gone or inactive; the session has ended; a refresh token that was spent, which the message says',
    advice: 'Refresh once. If that is refused too, log in again.',
    message: 'A valid access token of an active user is required.',
    withoutToken: {
      login: 'The e-mail address or the password is wrong.',
      refresh: 'A valid refresh token is required.',
    },
  },
  forbidden: {
    when: 'the token is valid, but its user is not an `admin` of the company in the path; the response is the same for a company that does not exist',
    advice: 'Use an admin’s account, and the `company_id` of that account.',
    message: 'Only an admin of this company may do this.',
  },
  insufficient_scope: {
    when: 'the token is that of a client, without the scope that the operation needs, which `WWW-Authenticate` names; some operations are for people alone',
    advice: 'Ask the platform to register the client with this scope, and request a token with it.',
    message: 'The client needs the scope import for this, and so does its token.',
  },
  migrations_not_enabled: {
    when: 'the company is not enabled for migrations',
    advice: 'Ask its account manager.',
    message: 'Migrations are not enabled for this company. Ask its account manager to enable them.',
  },
  approval_required: {
    when: 'the setting `approval` of the stack is `second`, and this would import without a plan that another person approved',
    advice: 'Make a plan of dry runs, let another administrator approve it, then apply it.',
    message:
      'A second person must approve what is imported. Make a plan of dry runs, let another administrator approve it, then apply it.',
  },
  approval_by_another: {
    when: 'the setting `approval` of the stack is `second`, and the caller made the plan or sent one of its dry runs',
    advice: 'Ask another administrator of the company.',
    message: 'You made this plan, or sent one of its dry runs. Another administrator of the company must approve it.',
  },
  import_not_found: {
    when: 'the company has no such import',
    advice: 'Check the `import_id`; `GET …/progress/imports` lists the imports of the company.',
    message: 'This company has no import "nothing".',
  },
  record_not_found: {
    when: 'no record of that `external_record_id` was imported',
    advice: 'A rejected record does not appear here: look at the results of its import.',
    message: 'No record "nothing" was imported.',
    field: 'external_record_id',
  },
  run_not_found: {
    when: 'the company has no run with this id: no import named it, and nothing was decided about it',
    advice: 'Check the `run_id`; `GET …/progress/runs` lists the runs of the company.',
    message: 'This company has no run "nothing".',
  },
  learner_not_found: {
    when: 'the company has no such user; also a user who was erased',
    advice: 'Check the address or the id; `POST …/users/resolve` resolves 100 addresses at once.',
    message: 'This company has no learner "999".',
  },
  mapping_not_found: {
    when: 'the external id to delete is not registered',
    advice: 'Nothing, if it should be gone. `GET …/mappings` lists those that are registered.',
    message: 'No external_user_id "nothing" is registered.',
  },
  route_not_found: {
    when: 'no such path',
    advice: 'Check the path and a trailing slash.',
    message: 'There is no such path.',
  },
  method_not_allowed: {
    when: 'the path has other methods, which `Allow` names',
    advice: 'Use one of these.',
    message: 'This path takes GET only.',
  },
  import_not_terminal: {
    when: 'the import, or an import of the run, has not ended, so it cannot be reverted',
    advice: 'Wait until it has ended, or cancel it first.',
    message: 'This import is still processing. Wait until it has ended, or cancel it, then revert it.',
  },
  run_not_terminal: {
    when: 'an import of the run is still processing, its plan is being applied, or the run is being taken back, so no evidence of it can be signed',
    advice: 'Wait until that has ended.',
    message:
      'An import of this run is still processing, its plan is being applied, or it is being taken back. Wait until that has ended, then sign.',
  },
  report_not_requested: {
    when: `the run has over ${MAX_IMPORTS_PREVIEWED} imports to revert, and nobody requested that or a dry run of it`,
    advice: 'Request the dry run: `POST` the same path with `{"dry_run": true}`, then poll.',
    message:
      'This run has 101 imports to revert, and no dry run of that was requested. Request it: POST the same path with {"dry_run": true}.',
  },
  report_expired: {
    when: 'the results of the import, or of an import of the run, have expired, so it cannot be reverted',
    advice: 'Leave it: what it imported stays.',
    message:
      'The results of import 0f2k3j4h5g6d7s8a9q0w1e2r3t have expired, so it cannot be reverted. What it imported stays.',
  },
  plan_not_found: {
    when: 'the run has no plan',
    advice: 'Make one: `POST …/plan` with the dry runs of the run.',
    message: 'The run "spring-2026" has no plan.',
  },
  plan_incomplete: {
    when: 'an import that the plan names is unknown, is no dry run, is of another run, is named twice, or its report is gone; one problem a reason, which names the first ten',
    advice: 'Make the dry runs that the message names again, with the `run_id` of the run, then the plan.',
    message: 'This company has no such import: nothing.',
    field: 'import_ids',
  },
  plan_digest_differs: {
    when: 'the plan that was seen is not the newest one of the run',
    advice: 'Read the plan again, look at it, and decide about that one.',
    message:
      'The newest plan of this run has the digest e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855. Read it, then decide about that one.',
    field: 'plan_digest',
  },
  plan_closed: {
    when: 'the run is no draft, because it has a real import, or one is being made; or its plan is being applied, or has ended',
    advice: 'Leave it. To take back what it imported, revert it; to stop an application, cancel the run.',
    message: 'This run has a real import, or one is being made, so it is no draft. Cancel or revert it instead.',
  },
  version_conflict: {
    when: '`If-Match` names another version of the run than the stored one: somebody else decided something meanwhile',
    advice: 'Read the run again, and decide on what it says now.',
    message: 'The version of this run is "2", so If-Match names another one. Read the run again, then decide.',
    field: 'If-Match',
  },
  batch_too_large: {
    when: `over ${MAX_RECORDS_PER_IMPORT} records, ${MAX_EMAILS_PER_RESOLVE} e-mails or ${MAX_MAPPINGS_PER_REQUEST} mappings; over 20,000 dry runs of a plan`,
    advice: 'Send several smaller batches.',
    message: `records must have 1 to ${MAX_RECORDS_PER_IMPORT} items, not 501.`,
    field: 'records',
  },
  payload_too_large: {
    when: `the body is over ${MAX_BODY_MIB} MiB; of \`login\` and \`refresh-token\` over 16 KiB, of \`users/resolve\` over 64 KiB; of \`progress/records\`, what is stored of the record exceeds one response`,
    advice: 'Send several smaller batches. Read such a record in the transcript of its learner, page by page.',
    message: `The body must not exceed ${MAX_BODY_MIB} MiB.`,
  },
  idempotency_key_reused: {
    when: 'the `Idempotency-Key` was used with another payload; a flipped `dry_run` is another payload; the message names the import that has the key',
    advice: 'Use a new key for a new payload. To get the first response again, send the first payload.',
    message:
      'This Idempotency-Key belongs to import 0f2k3j4h5g6d7s8a9q0w1e2r3t, accepted at 2026-01-02T03:04:05.678Z with another payload. Use a new key.',
  },
  too_many_requests: {
    when: 'too many failed logins, more requests than the API or its web ACL lets through, or a quota of the hour that is used up',
    advice:
      'Wait for `Retry-After` seconds. The limit on logins ends at the latest five minutes after the failures stop.',
    message: 'Too many failed logins. Try again later.',
  },
  internal_error: {
    when: 'a fault of the service',
    advice: 'Try once more later, an import with the same `Idempotency-Key`. Then report the `request_id`.',
    message: 'The service failed. Report the request id to find out why.',
  },
  temporarily_unavailable: {
    when: 'a dependency is throttling or down; a function crashed, timed out or could not be started',
    advice:
      'Wait for `Retry-After` seconds and repeat the request. This is safe: an import that was sent with an `Idempotency-Key` is not made twice, and one without a key is made again, which changes no progress.',
    message: 'The service is busy. It is safe to repeat the request.',
  },
};

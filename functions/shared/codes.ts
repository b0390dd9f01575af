/** Each closed set of words of the interface, once: types, schemas, the OpenAPI document, metrics derive from it. */

/** Errors of a whole request and their HTTP status (§7.1, §7.2), with the additions of this service. */
export const REQUEST_ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  migrations_not_enabled: 403,
  approval_required: 403,
  approval_by_another: 403,
  import_not_found: 404,
  record_not_found: 404,
  run_not_found: 404,
  plan_not_found: 404,
  learner_not_found: 404,
  mapping_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  import_not_terminal: 409,
  run_not_terminal: 409,
  report_not_requested: 409,
  report_expired: 409,
  plan_incomplete: 409,
  plan_digest_differs: 409,
  plan_closed: 409,
  version_conflict: 412,
  batch_too_large: 413,
  payload_too_large: 413,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
} as const;
export type RequestErrorCode = keyof typeof REQUEST_ERROR_STATUS;

/** Errors that reject one record of a batch (§7.3). This service adds the last three. */
export const RECORD_ERRORS = {
  invalid_record: 'a structural problem: a member is missing, of the wrong type, too long',
  duplicate_external_record_id: 'the id appears earlier in the same batch, or is bound to another user and course',
  user_not_found:
    'no user in this company has this e-mail address; or the external user id is registered to a user who is gone, or whose address has changed',
  user_inactive: 'the user has no active license',
  unsupported_content_type: '`content.type` is not `course`',
  course_not_in_catalog: 'the company’s catalog has no such `platform_course_id`',
  external_user_id_not_mapped: 'the external user id was never registered',
  external_course_id_not_mapped: 'the external course id was never registered',
  identifier_mismatch: 'both identifiers were sent and they resolve to different users, or courses',
  invalid_completion_pct: 'the percentage is out of 0 to 100',
  invalid_date_format: 'not a complete date of ISO 8601, or a date that does not exist',
  missing_progress: 'there is no progress block, and no passed exam to assume 100 % from',
  import_cancelled: 'the import was cancelled before this record was processed; nothing was written',
  plan_changed: 'the import is of a plan, and would store something else than the plan says; nothing was written',
  processing_failed:
    'a fault of the service, after all retries; the record may have been applied, and sending it again is safe',
} as const;
export type RecordErrorCode = keyof typeof RECORD_ERRORS;

/** A record that is rejected for these reasons alone has no other fault: nobody or no course answers to it (§4.12). */
export const ARCHIVED_ERRORS = [
  'user_not_found',
  'user_inactive',
  'course_not_in_catalog',
  'external_user_id_not_mapped',
  'external_course_id_not_mapped',
] as const satisfies readonly RecordErrorCode[];

/** Whether a record with these problems is kept where its import asks for it. */
export const isArchivable = (problems: readonly { readonly error_code: string }[]): boolean =>
  problems.length > 0 && problems.every(({ error_code }) => ARCHIVED_ERRORS.some((code) => code === error_code));

/** Warnings of one record, which is still applied (§7.4). The last four are additions of this service. */
export const RECORD_WARNINGS = {
  assessment_ignored: 'the course has no exam, so the assessment was ignored',
  completion_pct_assumed: 'the exam is passed, and neither a percentage nor classes were sent: 100 was assumed',
  completion_pct_derived:
    'classes were sent without a percentage: it was derived from the class count, also where the exam is passed',
  completion_pct_adjusted: 'the classes imply more than the percentage sent; the higher was kept',
  class_not_in_course: 'classes that are not of this course were skipped',
  duplicate_class_id: 'a class was listed twice; the first entry counts',
  native_progress_kept: 'the learner has more on the platform than the record says; it was kept',
  date_assumed:
    'the record does not say when it was completed or certified: `completed_at` or `certified_at` is the date of the import, or that of classes of which one has no date',
  date_implausible:
    'a date is later than a day after the import, or before 1970, or the start is after the completion, the certification or the last activity',
  earlier_record_kept:
    'an earlier import of the same record has more than this one: a percentage, a certification, a class, a later date; it was kept',
  unknown_field_ignored:
    'members that the interface does not define were ignored; the only warning of a rejected record',
} as const;
export type WarningCode = keyof typeof RECORD_WARNINGS;

/** What a person does about each, in docs/errors.md. Apart from the codes, so that no bundle has them. */
export const ERROR_ADVICE: Readonly<Record<RecordErrorCode, string>> = {
  invalid_record: 'Correct the member that `field` names.',
  duplicate_external_record_id:
    'In one batch: remove the repeat. If the id is already bound, the message names its user and course; give this record an id of its own.',
  user_not_found:
    'Correct the address, register the id again, or have the user created first. Imports never create users.',
  user_inactive: 'Give the user a license, then send the record again.',
  unsupported_content_type: 'Leave it out of the import. The platform recalculates learning paths from course records.',
  course_not_in_catalog: 'Take the id from `GET …/catalog/courses`.',
  external_user_id_not_mapped: 'Register it with `POST …/users/mappings`, then send the record again.',
  external_course_id_not_mapped: 'Register it with `POST …/catalog/mappings`, then send the record again.',
  identifier_mismatch: 'Find out which is right. Send only that one, or correct the mapping.',
  invalid_completion_pct: 'Correct it. A fraction of one (`0.8`) is a percentage too: 0.8 %.',
  invalid_date_format:
    'Send `2024-03-01T09:30:00Z`, or `2024-03-01`; [interface.md](interface.md#rule-5-dates) has the other forms.',
  missing_progress: 'Send `progress`. For a course without an exam, a passed assessment alone says nothing.',
  import_cancelled: 'Send the record again in a new import if you want it.',
  plan_changed: 'The message says what was planned and what would be. Make a new dry run and a new plan.',
  processing_failed: 'Send the record again. Then report the `import_id`.',
};
export const WARNING_ADVICE: Readonly<Record<WarningCode, string>> = {
  assessment_ignored: 'Nothing, unless you expected an exam: check `has_exam` in the catalog.',
  completion_pct_assumed: 'Nothing, or send the percentage.',
  completion_pct_derived: 'Nothing, or send the percentage.',
  completion_pct_adjusted: 'Nothing. If it is too high, correct the class list.',
  class_not_in_course: 'Compare the named class ids with the catalog.',
  duplicate_class_id: 'Nothing, if the entries were equal.',
  native_progress_kept: 'Nothing. An import never lowers what was earned.',
  date_assumed:
    'Send `progress.completed_at` or `assessment.taken_at` if you know it; a date that is sent beats an assumed one.',
  date_implausible:
    'Correct the dates that the message names, and send the record again with `"replace": true`. The latest completion and certificate count, so a wrong later one wins.',
  earlier_record_kept: 'If this record is a correction, send it with `"replace": true`.',
  unknown_field_ignored: 'Look for a misspelt member among those named.',
};

/** The keys of a table in its order, with their type: `Object.keys` returns plain strings. */
export function codesOf<Code extends string>(table: Readonly<Record<Code, unknown>>): Code[] {
  return Object.keys(table) as Code[];
}

/** What a client may be allowed (§5.3): none of these implies another. Approval is a person's, so that no scope has it. */
export const SCOPES = ['read', 'dry-run', 'import', 'revert', 'evidence'] as const;
export type Scope = (typeof SCOPES)[number];

/** Statuses of an import (§3). Every one but `processing` is terminal. */
export const IMPORT_STATUSES = ['validated', 'processing', 'success', 'partial_success', 'error'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Events on the account's bus (§4.9): their source, and the detail type of each. */
export const EVENT_SOURCE = 'course-progress-migration';
export const EVENT_TYPES = ['Import Ended', 'Import Reverted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
/** Those about a run (§4.11), which are its notices: they are mailed, too. */
export const RUN_EVENT_TYPES = ['Plan Waiting', 'Plan Approved', 'Run Ended', 'Run Reverted'] as const;
export type RunEventType = (typeof RUN_EVENT_TYPES)[number];

/** Statuses of a revert (a dry run is `validated`, any other ends as `success`), and its effect on each record. */
export const REVERT_STATUSES = ['validated', 'processing', 'success'] as const;
/** Outcome of one record of a revert: `nothing_to_revert` if it was rejected or wrote nothing (§4.9). */
export const REVERT_OUTCOMES = ['reverted', 'nothing_to_revert'] as const;

/** Statuses of a run: its imports are real ones, so it is never `validated`. `draft`: it has none yet (§4.11). */
export const RUN_STATUSES = ['draft', 'processing', 'success', 'partial_success', 'error'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Languages of the notices of a run (§4.11). */
export const RUN_LANGUAGES = ['en', 'de'] as const;
export type RunLanguage = (typeof RUN_LANGUAGES)[number];

/** Values of `include` of a run: `document` adds what its administrators note of it. */
export const RUN_INCLUDES = ['document'] as const;

/** Statuses of the plan of a run (§4.11): a closed list. `expired` follows from the time; it is never stored. */
export const PLAN_STATUSES = [
  'waiting',
  'approved',
  'applying',
  'applied',
  'cancelled',
  'withdrawn',
  'expired',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Status of one record of an import (§4.2 operation 9), and the outcome of applying it. */
export const RECORD_STATUSES = ['success', 'error', 'pending'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];
/** Effect of an accepted record: first time, known id with other content, known id with the same content (rule 12). */
export const OUTCOMES = ['applied', 'updated', 'unchanged'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Values of `include` in a list of results: `record` adds the record as it was sent. */
export const RECORD_INCLUDES = ['record'] as const;
export type RecordInclude = (typeof RECORD_INCLUDES)[number];

/** Statuses of a mapping entry (§4.2 operations 3 and 5) and of a resolved address (operation 2). */
export const MAPPING_STATUSES = ['created', 'updated', 'unchanged', 'error'] as const;
export type MappingStatus = (typeof MAPPING_STATUSES)[number];
/** Statuses of a resolved address (§4.2 operation 2). An import can name the user of an `active` one only. */
export const RESOLVE_STATUSES = ['active', 'inactive', 'not_found', 'invalid'] as const;
export type ResolveStatus = (typeof RESOLVE_STATUSES)[number];

/** Results of an exam. `passed` implies 100 % if a record has neither a percentage nor classes (rule 7). */
export const ASSESSMENT_STATUSES = ['passed', 'failed', 'not_taken'] as const;
export type AssessmentStatus = (typeof ASSESSMENT_STATUSES)[number];

/** Only an `admin` may call the operations of a company (§5). */
export const ROLES = ['customer', 'admin'] as const;
export type Role = (typeof ROLES)[number];
/** Without an active license, a user can neither log in nor be named by a record. */
export const LICENSES = ['active', 'inactive'] as const;
export type License = (typeof LICENSES)[number];
/** Members of a user whose change leaves a trace (§13.1). */
export const USER_CHANGES = ['license', 'role', 'password', 'address'] as const;
export type UserChange = (typeof USER_CHANGES)[number];

/** A problem is a value, collected and reported, never thrown. `field` is the dotted path of the offending member. */
export interface Problem<Code extends string = RecordErrorCode> {
  readonly error_code: Code;
  readonly message: string;
  readonly field?: string | undefined;
}

/** A warning is a value too: the record that has it is applied all the same, unless it has errors as well (§7.4). */
export interface Warning {
  readonly warning_code: WarningCode;
  readonly message: string;
  readonly field?: string | undefined;
}

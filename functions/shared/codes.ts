/**
 * Every code a caller can meet, as closed unions: a code that is not listed here does not compile.
 */

/** Errors of a whole request (§7.2), with the additions of this service. The HTTP status of each stands in runtime/error-status.ts. */
export type RequestErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'migrations_not_enabled'
  | 'import_not_found'
  | 'record_not_found'
  | 'route_not_found'
  | 'batch_too_large'
  | 'payload_too_large'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'internal_error'
  | 'temporarily_unavailable';

/** Errors of one record (§7.3); the record is rejected and the batch continues. `processing_failed` is our own. */
export type RecordErrorCode =
  | 'invalid_record'
  | 'duplicate_external_record_id'
  | 'user_not_found'
  | 'user_inactive'
  | 'unsupported_content_type'
  | 'course_not_in_catalog'
  | 'external_user_id_not_mapped'
  | 'external_course_id_not_mapped'
  | 'identifier_mismatch'
  | 'invalid_completion_pct'
  | 'invalid_date_format'
  | 'missing_progress'
  | 'processing_failed';

/** Warnings of one record (§7.4); the record is still applied. `unknown_field_ignored` is our own. */
export type WarningCode =
  | 'assessment_ignored'
  | 'completion_pct_assumed'
  | 'completion_pct_derived'
  | 'completion_pct_adjusted'
  | 'class_not_in_course'
  | 'duplicate_class_id'
  | 'native_progress_kept'
  | 'unknown_field_ignored';

/** A problem is a value, collected and reported, never thrown. `field` is the dotted path of the offending member. */
export interface Problem<Code extends string = RecordErrorCode> {
  readonly error_code: Code;
  readonly message: string;
  readonly field?: string;
}

export interface Warning {
  readonly warning_code: WarningCode;
  readonly message: string;
  readonly field?: string;
}

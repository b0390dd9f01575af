/** Schemas that many requests and answers share. Answers are described as strictly as they are given: no member beyond these. */
import * as v from 'valibot';
import type { RecordErrorCode, RequestErrorCode, WarningCode } from '../codes.ts';

export const requestErrorCodes = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'migrations_not_enabled',
  'import_not_found',
  'record_not_found',
  'route_not_found',
  'batch_too_large',
  'payload_too_large',
  'idempotency_key_reused',
  'too_many_requests',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies RequestErrorCode[];

export const recordErrorCodes = [
  'invalid_record',
  'duplicate_external_record_id',
  'user_not_found',
  'user_inactive',
  'unsupported_content_type',
  'course_not_in_catalog',
  'external_user_id_not_mapped',
  'external_course_id_not_mapped',
  'identifier_mismatch',
  'invalid_completion_pct',
  'invalid_date_format',
  'missing_progress',
  'processing_failed',
] as const satisfies RecordErrorCode[];

export const warningCodes = [
  'assessment_ignored',
  'completion_pct_assumed',
  'completion_pct_derived',
  'completion_pct_adjusted',
  'class_not_in_course',
  'duplicate_class_id',
  'native_progress_kept',
  'unknown_field_ignored',
] as const satisfies WarningCode[];

/** A UTC instant with milliseconds, as every answer gives dates. */
export const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  v.metadata({ description: 'UTC, with milliseconds.', format: 'date-time' }),
);
export const platformId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const percentage = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
export const nextCursor = v.pipe(
  v.nullable(v.string()),
  v.description('Send it as `cursor` to get the next page; null on the last one. Opaque.'),
);
const field = v.pipe(v.string(), v.description('Dotted path of the member concerned; absent where there is none.'));

export const requestError = v.strictObject({
  error_code: v.picklist(requestErrorCodes),
  message: v.string(),
  field: v.optional(field),
});

export const errorEnvelope = v.pipe(
  v.strictObject({ errors: v.pipe(v.array(requestError), v.minLength(1)), request_id: v.string() }),
  v.description('The one form of every request-level error, authentication included (§7.1, §7.2).'),
);

export const recordError = v.pipe(
  v.strictObject({ error_code: v.picklist(recordErrorCodes), message: v.string(), field: v.optional(field) }),
  v.description('Why one record or entry was rejected (§7.3).'),
);

export const recordWarning = v.pipe(
  v.strictObject({ warning_code: v.picklist(warningCodes), message: v.string(), field: v.optional(field) }),
  v.description('What was noticed about a record that is applied all the same (§7.4); one for each code.'),
);

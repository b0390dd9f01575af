import type { RecordErrorCode, WarningCode } from '../../functions/shared/codes.ts';

/** What each record error means (§7.3): a code that is not in this table does not compile. */
export const RECORD_ERRORS: Readonly<Record<RecordErrorCode, string>> = {
  invalid_record: 'a structural problem; `field` and the message name the member and its rule',
  duplicate_external_record_id:
    'the id appears earlier in the same batch, or is bound to another user and course by an earlier import',
  user_not_found: 'the e-mail address is of no user of the company',
  user_inactive: 'the user has no active license',
  unsupported_content_type: '`content.type` is not `course`',
  course_not_in_catalog: '`platform_course_id` is not in the catalog of the company',
  external_user_id_not_mapped: 'the external user id was never registered',
  external_course_id_not_mapped: 'the external course id was never registered',
  identifier_mismatch: 'both identifiers of the user, or of the course, were sent and they resolve to different ones',
  invalid_completion_pct: 'the percentage is out of 0 to 100',
  invalid_date_format: 'a date is not ISO 8601, or does not exist',
  missing_progress: 'there is no progress block, and no passed exam to assume 100 % from',
  processing_failed:
    'a fault of ours, after all retries; the record may have been applied, and sending it again is safe',
};

/** What each warning tells of a record that is applied all the same (§7.4). */
export const WARNINGS: Readonly<Record<WarningCode, string>> = {
  assessment_ignored: 'the course has no exam, so the assessment was left aside',
  completion_pct_assumed: 'the exam is passed and no percentage was sent: 100 was assumed',
  completion_pct_derived: 'the percentage was derived from the class count',
  completion_pct_adjusted: 'the classes imply a higher percentage than the one sent; the higher was kept',
  class_not_in_course: 'classes that do not belong to the course were skipped',
  duplicate_class_id: 'classes listed more than once count by their first entry',
  native_progress_kept: 'the learner has more progress on the platform than the record says; it was kept',
  unknown_field_ignored: 'members that the interface does not know were ignored',
};

/** The codes of a table, in its order. */
export function codesOf<Code extends string>(table: Readonly<Record<Code, unknown>>): Code[] {
  return Object.keys(table) as Code[];
}

/** A Markdown list of the codes of a table with their meanings. */
export function listed(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n');
}

/** Bodies of the import operations (§2.7, §2.8, §3, §4.2 operations 7 to 9) and of the audit read. */
import * as v from 'valibot';
import { migrationRecord } from '../../functions/records/schema.ts';
import { MAX_RECORDS_PER_IMPORT } from '../../functions/shared/limits.ts';
import { count, instant, nextCursor, percentage, platformId, recordError, recordWarning } from './shared-schemas.ts';

export const importRequest = v.object({
  dry_run: v.pipe(v.boolean(), v.description('true: the whole payload is validated and nothing is written.')),
  records: v.pipe(v.array(migrationRecord), v.minLength(1), v.maxLength(MAX_RECORDS_PER_IMPORT)),
});

const progressDates = {
  started_at: v.nullable(instant),
  last_activity_at: v.nullable(instant),
  completed_at: v.nullable(instant),
};
const certification = { approved_course: v.picklist([0, 1]), certified_at: v.nullable(instant) };

export const resultProgress = v.pipe(
  v.strictObject({
    user_id: platformId,
    platform_course_id: platformId,
    completion_pct: percentage,
    classes_viewed: count,
    ...certification,
    ...progressDates,
  }),
  v.description('The effective progress with this record applied and the other records of the same import left aside.'),
);

const resultMembers = {
  index: v.pipe(count, v.description('Position of the record in the import.')),
  external_record_id: v.pipe(v.nullable(v.string()), v.description('null where it was no usable string.')),
  status: v.picklist(['success', 'error', 'pending']),
  outcome: v.pipe(
    v.nullable(v.picklist(['applied', 'updated', 'unchanged'])),
    v.description('First time; known id with other content; known id with the same content. null on error or pending.'),
  ),
  errors: v.array(recordError),
  warnings: v.array(recordWarning),
  progress: v.nullable(resultProgress),
};
export const recordResult = v.strictObject(resultMembers);

const importStatus = v.picklist(['validated', 'processing', 'success', 'partial_success', 'error']);
const importMembers = {
  import_id: v.string(),
  company_id: v.string(),
  status: v.pipe(
    importStatus,
    v.description('Terminal but for `processing`. All applied: success; some: partial_success; none: error.'),
  ),
  dry_run: v.boolean(),
  created_at: instant,
  completed_at: v.pipe(v.nullable(instant), v.description('When it became terminal.')),
  counts: v.strictObject({ total: count, processed: count, succeeded: count, failed: count, with_warnings: count }),
};
export const importSummary = v.strictObject(importMembers);
export const importList = v.strictObject({ imports: v.array(importSummary), next_cursor: nextCursor });
export const importResource = v.strictObject({
  ...importMembers,
  records: v.pipe(v.array(recordResult), v.description('Every result in the order sent; empty while processing.')),
});

export const listedResult = v.strictObject({
  ...resultMembers,
  record: v.optional(v.pipe(v.unknown(), v.description('What was sent; only with `include=record`.'))),
});
export const recordList = v.strictObject({
  import_id: v.string(),
  status: importStatus,
  records: v.array(listedResult),
  next_cursor: nextCursor,
});

const classViews = v.array(v.strictObject({ platform_class_id: platformId, viewed_at: v.nullable(instant) }));
export const progress = v.strictObject({
  completion_pct: percentage,
  ...certification,
  ...progressDates,
  classes: classViews,
});

export const contribution = v.strictObject({
  source: v.literal('external_migration'),
  import_id: v.string(),
  imported_at: instant,
  external_ref: v.nullable(v.string()),
  completion_pct: percentage,
  ...certification,
  score_pct: v.nullable(percentage),
  assessment_status: v.nullable(v.picklist(['passed', 'failed', 'not_taken'])),
  ...progressDates,
  classes: classViews,
});

export const recordAudit = v.strictObject({
  external_record_id: v.string(),
  user_id: platformId,
  platform_course_id: platformId,
  contributions: v.pipe(v.array(contribution), v.description('Of this record, oldest first, as persisted.')),
  native: v.pipe(v.nullable(progress), v.description('Organic progress; imports never change it.')),
  effective: v.pipe(progress, v.description('The join of the organic progress and every contribution.')),
});

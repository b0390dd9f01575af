/** The result of one record (§4.2 operation 9), and the counts of a chunk of results. */
import { externalRecordIdOf } from './identifiers.ts';
import { problem } from './problems.ts';
import type { Problem, Warning } from '../shared/codes.ts';
import type {
  ChunkSummary,
  Conflict,
  LearnerCourse,
  Outcome,
  Plan,
  PlannedRecord,
  Progress,
  RecordResult,
  ResultProgress,
} from '../shared/model.ts';

/** Rule 13: the result of a fault of the service. */
export const PROCESSING_FAILED: Problem = {
  error_code: 'processing_failed',
  message: 'The record could not be processed and may have been applied. Sending it again is safe.',
};

/** §4.9: the import was cancelled before this record was processed. */
export const IMPORT_CANCELLED: Problem = {
  error_code: 'import_cancelled',
  message: 'The import was cancelled before this record was processed. Nothing of it was written.',
};

/** §7.3: "the same external_record_id appears twice in one batch". The later records have no other error. */
export const DUPLICATE: Problem = problem(
  'duplicate_external_record_id',
  'external_record_id',
  'appears earlier in this batch; only the first record with this id is processed',
);

export function isCancelled({ errors }: Pick<RecordResult, 'errors'>): boolean {
  return errors.some(({ error_code }) => error_code === IMPORT_CANCELLED.error_code);
}

/** The result of an applied record, with the effective progress after it. */
export function successResult(
  record: Pick<RecordResult, 'index' | 'external_record_id'>,
  outcome: Outcome,
  warnings: readonly Warning[],
  learnerCourse: LearnerCourse,
  effective: Progress | null,
): RecordResult {
  const { index, external_record_id } = record;
  const progress = effective && resultProgress(learnerCourse, effective);
  return { index, external_record_id, status: 'success', outcome, errors: [], warnings, progress };
}

/** §4.7: "A rejected record has no warning but `unknown_field_ignored`". */
export const isOfRejected = ({ warning_code }: Warning): boolean => warning_code === 'unknown_field_ignored';

/** The result of a rejected record. It keeps no warning but the one of unknown fields. */
export function errorResult(
  record: Pick<RecordResult, 'index' | 'external_record_id'> & Partial<Pick<RecordResult, 'warnings'>>,
  errors: readonly Problem[],
): RecordResult {
  const { index, external_record_id } = record;
  const warnings = (record.warnings ?? []).filter(isOfRejected);
  return { index, external_record_id, status: 'error', outcome: null, errors, warnings, progress: null };
}

/** A record that is rejected for one reason, whatever else it holds. */
export function rejectedRecord(raw: unknown, index: number, reason: Problem): PlannedRecord {
  return { result: errorResult({ index, external_record_id: externalRecordIdOf(raw) }, [reason]) };
}

/** The result of a record whose chunk is not planned yet. */
export function pendingResult(raw: unknown, index: number): RecordResult {
  const external_record_id = externalRecordIdOf(raw);
  return { index, external_record_id, status: 'pending', outcome: null, errors: [], warnings: [], progress: null };
}

/** The error of an id whose holder has been erased (§13.2): it names no user. */
export const HOLDER_ERASED: Problem = problem(
  'duplicate_external_record_id',
  'external_record_id',
  'belonged to another user, who has been erased since',
);

/** Rule 12: an `external_record_id` belongs to one user and course for good; the message names them. */
export function conflictResult(
  result: RecordResult,
  { user_id, platform_course_id }: Omit<LearnerCourse, 'user_id'> & { readonly user_id: number | null },
): RecordResult {
  if (user_id === null) return errorResult(result, [HOLDER_ERASED]);
  const rule = `already belongs to user ${user_id} and course ${platform_course_id}, and cannot be used for another`;
  return errorResult(result, [problem('duplicate_external_record_id', 'external_record_id', rule)]);
}

/** The result of a record after the summary of its chunk, which overrides the plan. An erased result stays as it is. */
export function overridden(result: RecordResult, summary: ChunkSummary): RecordResult {
  if (result.erased) return result;
  const [, user_id, platform_course_id] = summary.conflict.find(([index]) => index === result.index) ?? [];
  if (user_id !== undefined && platform_course_id !== undefined) {
    return conflictResult(result, { user_id, platform_course_id });
  }
  const isAbandoned = summary.failed_indexes.includes(result.index) && result.status !== 'error';
  return isAbandoned ? errorResult(result, [PROCESSING_FAILED]) : result;
}

/** Counts a chunk. `conflict` (ids that others claimed first) and `failed` (abandoned) override the planned results. */
export function summarise(
  { planned }: Pick<Plan, 'planned'>,
  conflict: readonly Conflict[] = [],
  failed: readonly number[] = [],
): ChunkSummary {
  const results = planned.map(({ result }) => result);
  const overridden = new Set([...conflict.map(([index]) => index), ...failed]);
  const applied = results.filter(({ status, index }) => status === 'success' && !overridden.has(index));
  const isWarned = ({ index, warnings }: RecordResult) =>
    overridden.has(index) ? warnings.some(isOfRejected) : warnings.length > 0;
  const archived = results.filter((result) => result.archived === true).length;
  return {
    succeeded: applied.length,
    failed: results.length - applied.length,
    ...(archived > 0 && { archived }),
    with_warnings: results.filter(isWarned).length,
    conflict,
    failed_indexes: failed,
  };
}

/** How many records of a dry run would be updated, and how many are unchanged. */
export function outcomesIn({ planned }: Pick<Plan, 'planned'>): Pick<ChunkSummary, 'updated' | 'unchanged'> {
  const having = (outcome: Outcome) => planned.filter(({ result }) => result.outcome === outcome).length;
  const [updated, unchanged] = [having('updated'), having('unchanged')];
  return { ...(updated > 0 && { updated }), ...(unchanged > 0 && { unchanged }) };
}

/** Progress as results show it: classes are counted, not listed. */
export function resultProgress(
  { user_id, platform_course_id }: LearnerCourse,
  { completion_pct, classes, ...effective }: Progress,
): ResultProgress {
  return { user_id, platform_course_id, completion_pct, classes_viewed: classes.length, ...effective };
}

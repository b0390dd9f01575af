import { externalRecordIdOf } from './identifiers.ts';
import type { Problem, Warning } from '../shared/codes.ts';
import type { ChunkSummary, Outcome, LearnerCourse, Progress, RecordResult, ResultProgress } from '../shared/model.ts';

/** Result of a record that was applied, or found applied already. */
export function successResult(
  record: Pick<RecordResult, 'index' | 'external_record_id'>,
  outcome: Outcome,
  warnings: readonly Warning[],
  pair: LearnerCourse,
  effective: Progress | null,
): RecordResult {
  const { index, external_record_id } = record;
  const progress = effective && resultProgress(pair, effective);
  return { index, external_record_id, status: 'success', outcome, errors: [], warnings, progress };
}

function resultProgress(
  { user_id, platform_course_id }: LearnerCourse,
  { classes, ...effective }: Progress,
): ResultProgress {
  const { completion_pct, approved_course, certified_at, started_at, last_activity_at, completed_at } = effective;
  return {
    user_id,
    platform_course_id,
    completion_pct,
    classes_viewed: classes.length,
    approved_course,
    certified_at,
    started_at,
    last_activity_at,
    completed_at,
  };
}

/** Result of a rejected record: its errors and nothing else. */
export function errorResult(
  record: Pick<RecordResult, 'index' | 'external_record_id'>,
  errors: readonly Problem[],
): RecordResult {
  const { index, external_record_id } = record;
  return { index, external_record_id, status: 'error', outcome: null, errors, warnings: [], progress: null };
}

/** Result of a record that is still to be processed. */
export function pendingResult(raw: unknown, index: number): RecordResult {
  const external_record_id = externalRecordIdOf(raw);
  return { index, external_record_id, status: 'pending', outcome: null, errors: [], warnings: [], progress: null };
}

/** Rule 12: an `external_record_id` binds to its (user, course) for good; the message names the pair that holds it. */
export function conflictResult(result: RecordResult, heldBy: LearnerCourse): RecordResult {
  return errorResult(result, [
    {
      error_code: 'duplicate_external_record_id',
      message: `external_record_id is bound to user ${heldBy.user_id} and course ${heldBy.platform_course_id} already`,
      field: 'external_record_id',
    },
  ]);
}

/** Rule 13: the fault is ours. A record that was rejected anyway keeps its own errors. */
export function abandonedResult(result: RecordResult): RecordResult {
  return result.status === 'error' ? result : errorResult(result, [PROCESSING_FAILED]);
}

export const PROCESSING_FAILED: Problem = {
  error_code: 'processing_failed',
  message: 'the record could not be processed and may have been applied; sending it again is safe',
};

/**
 * Counts a chunk once everything is known about it. `conflict` (ids bound to another pair first) and `failed` (closed
 * unprocessed) are positions in the import; both override the planned results.
 */
export function summarise(
  results: readonly RecordResult[],
  conflict: readonly number[],
  failed: readonly number[],
): ChunkSummary {
  const overridden = new Set([...conflict, ...failed]);
  const applied = results.filter(({ status, index }) => status === 'success' && !overridden.has(index));
  return {
    succeeded: applied.length,
    failed: results.length - applied.length,
    with_warnings: applied.filter(({ warnings }) => warnings.length > 0).length,
    conflict,
    failed_indexes: failed,
  };
}

/** A consecutive run of records; `first_index` is the position of the first of them in the import. */
export interface RecordRun {
  readonly first_index: number;
  readonly records: unknown[];
}

/** The effect of a revert on each record of an import, decided from the stored items. */
import { isAmong, learnerCourseId } from '../records/identifiers.ts';
import { effectiveProgress } from '../records/merge.ts';
import { resultProgress } from '../records/result.ts';
import type {
  Contribution,
  Course,
  CourseHistory,
  LearnerCourse,
  Plan,
  PlannedRecord,
  Progress,
  RecordWrite,
  RevertCounts,
  RevertedRecord,
} from '../shared/model.ts';
import type { RevertReport } from './store.ts';
import { writesOf } from '../imports/plan-chunk.ts';

/** The progress of a learner in a course about which nothing is stored any more. */
const NOTHING: Progress = {
  completion_pct: 0,
  classes: [],
  approved_course: 0,
  certified_at: null,
  started_at: null,
  last_activity_at: null,
  completed_at: null,
};

interface Stored {
  readonly plans: readonly Plan[];
  /** By `learnerCourseId`. */
  readonly histories: ReadonlyMap<string, CourseHistory>;
  /** The courses of these histories that exist, by id. */
  readonly courses: ReadonlyMap<number, Course>;
  /** Imports that are reverted together; none of their contributions counts. */
  readonly reverted: ReadonlySet<string>;
  /** Contributions that other imports get of their own, stored already or not. */
  readonly transfers: readonly RecordWrite[];
}

/**
 * The report on one import. It is the same before and after transfers, until contributions are removed: so a dry run reports
 * the same as the revert.
 */
export function decideRevert({ plans, histories, courses, reverted, transfers }: Stored): RevertReport {
  const transferred = Map.groupBy(transfers, learnerCourseId);
  const remaining = (pair: LearnerCourse): Contribution[] => {
    const stored = histories.get(learnerCourseId(pair))?.contributions ?? [];
    const given = (transferred.get(learnerCourseId(pair)) ?? []).map(({ contribution }) => contribution);
    return [...stored, ...given.filter((each) => !isAmong(stored, each))].filter(
      (each) => !reverted.has(each.import_id),
    );
  };
  const wasWritten = (write: RecordWrite) =>
    isAmong(histories.get(learnerCourseId(write))?.contributions, write.contribution);
  const revertOf = ({ result, write }: PlannedRecord): RevertedRecord => {
    const { index, external_record_id, erased } = result;
    if (write === undefined || !wasWritten(write)) {
      return { index, external_record_id, outcome: 'nothing_to_revert', progress: null, ...(erased && { erased }) };
    }
    const native = histories.get(learnerCourseId(write))?.native ?? null;
    const left = effectiveProgress(native, remaining(write), courses.get(write.platform_course_id)) ?? NOTHING;
    return { index, external_record_id, outcome: 'reverted', progress: resultProgress(write, left) };
  };
  const isFree = (write: RecordWrite) =>
    !remaining(write).some(({ external_record_id }) => external_record_id === write.contribution.external_record_id);
  const planned = plans.flatMap((plan) => plan.planned);
  return {
    records: planned.map(revertOf).toSorted((a, b) => a.index - b.index),
    freed: writesOf(plans).flatMap((write) => (isFree(write) ? [write.contribution.index] : [])),
  };
}

export function revertCounts(records: readonly RevertedRecord[]): RevertCounts {
  const reverted = records.filter(({ outcome }) => outcome === 'reverted').length;
  return { total: records.length, reverted, nothing_to_revert: records.length - reverted };
}

export function sumOfCounts(a: RevertCounts, b: RevertCounts): RevertCounts {
  return {
    total: a.total + b.total,
    reverted: a.reverted + b.reverted,
    nothing_to_revert: a.nothing_to_revert + b.nothing_to_revert,
  };
}

export const NO_COUNTS: RevertCounts = { total: 0, reverted: 0, nothing_to_revert: 0 };

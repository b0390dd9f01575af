/** The effect of a revert on each record of an import, decided from the stored items. */
import { learnerCourseId } from '../records/identifiers.ts';
import { effectiveProgress, NO_PROGRESS } from '../records/merge.ts';
import { resultProgress } from '../records/result.ts';
import { byRecord, isRepeat, contributionId, storedIn } from '../records/versions.ts';
import type {
  Course,
  CourseHistory,
  LearnerCourse,
  Plan,
  PlannedRecord,
  RecordWrite,
  RevertCounts,
  RevertedRecord,
  RunRevert,
} from '../shared/model.ts';
import type { RevertReport } from './store.ts';
import { writesOf } from '../imports/plan-chunk.ts';

interface Stored {
  readonly plans: readonly Plan[];
  /** Histories by `learnerCourseId`. */
  readonly histories: ReadonlyMap<string, CourseHistory>;
  readonly courses: ReadonlyMap<number, Course>;
  /** Imports that are reverted together; none of their contributions counts. */
  readonly reverted: ReadonlySet<string>;
  /** Contributions that other imports get of their own, stored already or not. */
  readonly transfers: readonly RecordWrite[];
}

/** The same before and after transfers, until contributions are removed: a dry run reports what the revert will. */
export function decideRevert({ plans, histories, courses, reverted, transfers }: Stored): RevertReport {
  const transferred = Map.groupBy(transfers, learnerCourseId);
  const leftOf = (pair: LearnerCourse) => {
    const id = learnerCourseId(pair);
    const { native = null, contributions = [] } = histories.get(id) ?? {};
    const given = (transferred.get(id) ?? []).map(({ contribution }) => contribution);
    // A contribution that is stored already counts once.
    const all = new Map([...contributions, ...given].map((each) => [contributionId(each), each]));
    const remaining = [...all.values()].filter(({ import_id }) => !reverted.has(import_id));
    const progress = effectiveProgress(native, remaining, courses.get(pair.platform_course_id)) ?? NO_PROGRESS;
    return { progress: resultProgress(pair, progress), records: byRecord(remaining) };
  };
  const writes = writesOf(plans);
  const pairs = new Map(writes.map((write) => [learnerCourseId(write), write]));
  const lefts = new Map([...pairs].map(([id, pair]) => [id, leftOf(pair)]));
  const isStored = storedIn(histories);
  /** An `unchanged` record may be stored for its place alone. What it repeats may be removed already, with the same run. */
  const isForItsPlace = (
    { repeats = '' }: PlannedRecord,
    { contribution }: RecordWrite,
    left: ReturnType<typeof leftOf>,
  ) => reverted.has(repeats) || isRepeat(contribution, left.records.get(contribution.external_record_id) ?? []);
  const revertOf = (record: PlannedRecord): RevertedRecord => {
    const { result, write } = record;
    const { index, external_record_id, outcome, erased } = result;
    const left = write && isStored(write) ? lefts.get(learnerCourseId(write)) : undefined;
    if (write !== undefined && left !== undefined) {
      if (outcome !== 'unchanged' || !isForItsPlace(record, write, left))
        return { index, external_record_id, outcome: 'reverted', progress: left.progress };
    }
    return { index, external_record_id, outcome: 'nothing_to_revert', progress: null, ...(erased && { erased }) };
  };
  const isFree = (write: RecordWrite) =>
    lefts.get(learnerCourseId(write))?.records.has(write.contribution.external_record_id) !== true;
  const planned = plans.flatMap((plan) => plan.planned);
  return {
    records: planned.map(revertOf).toSorted((a, b) => a.index - b.index),
    freed: writes.filter(isFree).map(({ contribution }) => contribution.index),
  };
}

type RunCounts = RunRevert['counts'];

export function revertCounts(records: readonly RevertedRecord[]): RevertCounts {
  const reverted = records.filter(({ outcome }) => outcome === 'reverted').length;
  return { total: records.length, reverted, nothing_to_revert: records.length - reverted };
}

export const NO_COUNTS: RunCounts = { imports: 0, total: 0, reverted: 0, nothing_to_revert: 0 };

export function withImport(sum: RunCounts, records: readonly RevertedRecord[]): RunCounts {
  const { total, reverted, nothing_to_revert } = revertCounts(records);
  return {
    imports: sum.imports + 1,
    total: sum.total + total,
    reverted: sum.reverted + reverted,
    nothing_to_revert: sum.nothing_to_revert + nothing_to_revert,
  };
}

/** §4.11, "A plan guards what is written": what an import of a plan does with the records of a dry run. */
import { counting, referenceBatch, type ReferenceResult } from './record.ts';
import { pairOf, type KnownRecord, type ReferenceWorld } from './world.ts';

/** A dry run: what was found of each record, what it would store, and what counted under its id then. */
export interface PlannedBatch {
  readonly records: readonly unknown[];
  readonly replace: boolean;
  readonly planned: readonly (ReferenceResult & { readonly stores: string; readonly counted: string })[];
}

type NotLeftAside = (known: KnownRecord) => boolean;

export function plannedBatch(
  records: readonly unknown[],
  world: ReferenceWorld,
  at: string,
  replace: boolean,
): PlannedBatch {
  const planned = referenceBatch(records, world, at, replace).map((result, index) => ({
    ...result,
    stores: storedBy(result, records[index], world),
    counted: countedUnder(result, world, () => true),
  }));
  return { records, replace, planned };
}

type Planned = PlannedBatch['planned'][number];

/** The results of the batch as an import of a plan. `isOther`: whether a known record is not of this plan. */
export function appliedBatch(
  { records, replace, planned }: PlannedBatch,
  world: ReferenceWorld,
  at: string,
  isOther: NotLeftAside,
): ReferenceResult[] {
  // Who has bound an id is looked at last: it is claimed, not read.
  const unbound = referenceBatch(records, { ...world, identities: new Map() }, at, replace);
  const hasChanged = (then: Planned, now: ReferenceResult, record: unknown): boolean => {
    if (storedBy(now, record, world) !== then.stores) return true;
    const isGuarded = (replace || then.outcome === 'unchanged') && now.outcome !== 'unchanged';
    return isGuarded && countedUnder(now, world, isOther) !== then.counted;
  };
  return planned.map((then, index) => {
    const now = unbound[index] as ReferenceResult;
    // "What it rejected is rejected again, with the planned result."
    if (then.status === 'error') return then;
    // "One that is rejected now has its own reasons."
    if (now.status === 'error') return now;
    if (hasChanged(then, now, records[index])) return rejected(now, 'plan_changed');
    const bound = world.identities.get(now.external_record_id ?? '') ?? pairIn(now);
    return bound === pairIn(now) ? now : rejected(now, 'duplicate_external_record_id');
  });
}

const rejected = (result: ReferenceResult, error_code: string): ReferenceResult => ({
  external_record_id: result.external_record_id,
  status: 'error',
  codes: [{ error_code }],
  warnings: [],
  outcome: null,
  progress: null,
});

export const pairIn = ({ progress }: ReferenceResult): string =>
  progress === null ? '' : pairOf(progress.user_id, progress.platform_course_id);

/** (a) and (b): the learner, the course, and what the record itself stores; default dates are equal. */
function storedBy(result: ReferenceResult, record: unknown, { courses }: ReferenceWorld): string {
  const { source, progress } = result;
  if (source === undefined) return '';
  const date = (dated: { readonly at: string; readonly sent: boolean } | null) =>
    dated === null ? null : dated.sent ? dated.at : 'acceptance';
  const course = courses.find(({ platform_course_id }) => platform_course_id === progress?.platform_course_id);
  const { assessment } = record as { readonly assessment?: unknown };
  const { completion_pct, certified, certified_at, started_at, last_activity_at, completed_at, classes } = source;
  const dates = [certified_at, started_at, last_activity_at, completed_at].map(date);
  const views = [...classes].map(([id, viewed_at]) => [id, date(viewed_at)]);
  const counted = course?.has_exam === true ? assessment : undefined;
  return JSON.stringify([pairIn(result), completion_pct, certified, dates, views, counted]);
}

/** (c): what counts of the id of a record, as a set. */
function countedUnder(result: ReferenceResult, { pairs }: ReferenceWorld, isOther: NotLeftAside): string {
  const { records = [] } = pairs.get(pairIn(result)) ?? {};
  const own = records.filter((known) => known.external_record_id === result.external_record_id && isOther(known));
  return JSON.stringify([...new Set(counting(own).map(({ said }) => said))].toSorted());
}

/** What an import of a plan may write (§4.11): "A plan guards what is written", not what is shown. */
import { errorResult, isOfRejected } from './result.ts';
import { contentsOf, countingOf } from './versions.ts';
import type { StagedChunk } from './staged.ts';
import type { Contribution, Plan, PlannedRecord, Problem, RecordWrite } from '../shared/model.ts';

type Hash = (text: string) => string;
type Written = Pick<RecordWrite, 'user_id' | 'platform_course_id' | 'contribution'>;

const PLACE_DIGITS = 13;

/**
 * The id of the import that a plan makes of the dry run at this place: "imports of this plan" are known by it, without a read.
 *
 * @example
 * plannedImportId('a000000000001', 7); // => 'a0000000000010000000000007'
 */
export function plannedImportId(plan_id: string, place: number): string {
  return plan_id + String(place).padStart(PLACE_DIGITS, '0');
}

/** The plan that made an import, in the id of the import. */
export const planIn = (import_id: string): string => import_id.slice(0, -PLACE_DIGITS);

/** "dates that default to acceptance are equal" (§4.11). */
const DEFAULT = 'default';

/** What the record itself stores, by member; two imports of one record store the same at different times. */
function contentOf({ user_id, platform_course_id, contribution }: Written): Readonly<Record<string, unknown>> {
  const { defaulted, defaulted_classes, classes, ...stored } = contribution;
  const dated = Object.fromEntries(defaulted.map((field) => [field, DEFAULT]));
  const views = classes.map(({ platform_class_id, viewed_at }) => [
    platform_class_id,
    defaulted_classes.includes(platform_class_id) ? DEFAULT : viewed_at,
  ]);
  const { completion_pct, approved_course, score_pct, assessment_status, external_ref } = stored;
  const { certified_at, started_at, last_activity_at, completed_at } = { ...stored, ...dated };
  return {
    user_id,
    platform_course_id,
    completion_pct,
    approved_course,
    certified_at,
    score_pct,
    assessment_status,
    started_at,
    last_activity_at,
    completed_at,
    classes: views,
    external_ref,
  };
}

/** The hash of the learner, the course and the content of a write: (a) and (b) of the rule. */
export function signatureOf(write: Written, hash: Hash): string {
  return hash(JSON.stringify(Object.values(contentOf(write))));
}

/** The hash of what counts under an id (c), "imports of this plan left aside": a set, in no order. */
export function overOf(ofOneRecord: readonly Contribution[], plan_id: string | undefined, hash: Hash): string {
  const others = ofOneRecord.filter(({ import_id }) => plan_id === undefined || planIn(import_id) !== plan_id);
  return hash([...contentsOf(countingOf(others))].toSorted().join());
}

/**
 * A chunk of a dry run as its plan imports it: what was rejected with its result, and of each other record what it may write. Nothing
 * of it needs the request that sent the dry run.
 */
export function stagedAsPlanned({ records, planned }: Plan, first_index: number, hash: Hash): StagedChunk {
  const at = (offset: number) => first_index + offset;
  const rejected = planned.flatMap((each, offset) =>
    each.write === undefined && !isErased(each) ? [[at(offset), each.result] as const] : [],
  );
  const ignored = planned.flatMap(({ write, result }, offset) =>
    result.warnings
      .filter((each) => write !== undefined && isOfRejected(each))
      .map((each) => [at(offset), each] as const),
  );
  const erased = planned.flatMap((each, offset) => (isErased(each) ? [at(offset)] : []));
  return {
    first_index,
    records,
    duplicates: [],
    oversized: [],
    ...(ignored.length > 0 && { ignored: Object.fromEntries(ignored) }),
    ...(erased.length > 0 && { erased }),
    ...(rejected.length > 0 && { rejected: Object.fromEntries(rejected) }),
    expected: planned.map((each) => expectedOf(each, hash)),
  };
}

const isErased = ({ result }: PlannedRecord): boolean => result.erased === true;

/** `SIGNATURE`, or `SIGNATURE OVER`; empty for a record that writes nothing. */
function expectedOf({ write, over }: PlannedRecord, hash: Hash): string {
  if (write === undefined) return '';
  return [signatureOf(write, hash), ...(over === undefined ? [] : [over])].join(' ');
}

/** Whether a record that would succeed now does what its plan says: (a), (b), and (c) "unless it is `unchanged` now". */
function isAsPlanned({ write, result, over }: PlannedRecord, expected: string, hash: Hash): boolean {
  if (write === undefined) return true;
  const [signature, plannedOver] = expected.split(' ');
  if (signatureOf(write, hash) !== signature) return false;
  return plannedOver === undefined || result.outcome === 'unchanged' || plannedOver === over;
}

/**
 * The positions in the chunk of the records that would write something else than planned.
 *
 * @param now decided with the id of the plan, so that `over` leaves its imports aside
 */
export function changedSince(now: Plan, expected: readonly string[], hash: Hash): number[] {
  return now.planned.flatMap((each, offset) => (isAsPlanned(each, expected[offset] ?? '', hash) ? [] : [offset]));
}

/** The decision with these records rejected. `before`: what the dry run planned, if it is still stored. */
export function withChanged(now: Plan, changed: readonly number[], before: Plan | undefined): Plan {
  const planned = now.planned.map(({ over: _, ...each }, offset) =>
    changed.includes(offset)
      ? { result: errorResult(each.result, [planChanged(each, before?.planned[offset])]) }
      : each,
  );
  return { ...now, planned };
}

/** What was planned, and what would be. It names no user: the planned one may be erased since. */
function planChanged({ write, result }: PlannedRecord, before: PlannedRecord | undefined): Problem {
  const [then, now] = [before?.write && contentOf(before.write), write && contentOf(write)];
  const differing = Object.keys(then ?? {}).filter((name) => !isSame(then?.[name], now?.[name]));
  const reasons = differing.map((name) =>
    name === 'user_id'
      ? 'it was planned for another user'
      : `${name} ${shown(then?.[name])} was planned, ${shown(now?.[name])} would be stored`,
  );
  const outcomes = `"${before?.result.outcome}" was planned, "${result.outcome}" would be the outcome`;
  const reason = reasons.join('; ') || `${outcomes}, because ${OVER_CHANGED}`;
  return {
    error_code: 'plan_changed',
    message: `Nothing was written, because something else would be stored than the plan says: ${
      then === undefined ? UNKNOWN : reason
    }. Make a new plan.`,
  };
}

const OVER_CHANGED = 'what is stored under its external_record_id has changed since';
const UNKNOWN = 'its user, its course, its content, or what is stored under its external_record_id is not as it was';
const LONGEST_SHOWN = 200;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}

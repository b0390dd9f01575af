/** Effective progress (§4.3: "the maximum is kept per dimension"): a join, and what its classes imply in the course. */
import { derivedPct } from './evaluate.ts';
import { byRecord, countingOf } from './versions.ts';
import type { Contribution, Course, DatedField, Instant, Progress } from '../shared/model.ts';

/** Ordered: none, then defaults, then those that were sent or recorded, and these by time. The join is the greater. */
export type KnownDate = { readonly at: Instant; readonly sent: boolean } | null;

/** Progress as it is joined: `joinStates` takes the greater of each member, so order and repeats do not matter. */
export interface ProgressState {
  readonly completion_pct: number;
  readonly certified: boolean;
  readonly dates: Readonly<Record<DatedField, KnownDate>>;
  readonly classes: ReadonlyMap<number, KnownDate>;
}

/** The progress of a learner in a course about which nothing is stored. */
export const NO_PROGRESS: Progress = {
  completion_pct: 0,
  classes: [],
  approved_course: 0,
  certified_at: null,
  started_at: null,
  last_activity_at: null,
  completed_at: null,
};

/** The course as it is now; `undefined` if it is gone. */
type CourseNow = Pick<Course, 'has_exam' | 'classes'> | undefined;

/**
 * The join of organic progress and every contribution that counts (rules 11 and 12), whatever their order, and what its classes
 * imply in this course. `null` if there is neither. Classes are sorted by id.
 *
 * @example
 * const none = { approved_course: 0, certified_at: null, started_at: null, last_activity_at: null, completed_at: null };
 * const native = { ...none, completion_pct: 40, classes: [], started_at: '2025-01-01T00:00:00.000Z' };
 * const migrated = { ...native, completion_pct: 80, started_at: '2024-01-01T00:00:00.000Z', defaulted: [], defaulted_classes: [] };
 * const { completion_pct, started_at } = effectiveProgress(native, [migrated], undefined);
 * [completion_pct, started_at]; // => [80, '2024-01-01T00:00:00.000Z']
 * effectiveProgress(null, [], undefined); // => null
 */
export function effectiveProgress(
  native: Progress | null,
  contributions: readonly Contribution[],
  course: CourseNow,
): Progress | null {
  const state = joinedState(native, contributions);
  return state && toProgress(state, course);
}

/** Effective progress (rule 11) of what counts; `null` if there is neither progress nor a contribution. */
export function joinedState(native: Progress | null, contributions: readonly Contribution[]): ProgressState | null {
  const counting = [...byRecord(contributions).values()].flatMap(countingOf);
  return joinAll([native && nativeState(native), ...counting.map(stateOf)]);
}

/** The join of what there is; `null` if there is nothing. */
export function joinAll(states: readonly (ProgressState | null)[]): ProgressState | null {
  return states.reduce((a, b) => (a === null || b === null ? (a ?? b) : joinStates(a, b)), null);
}

/** Highest percentage, union of classes (earliest view), earliest start, latest other dates, certified if either is. */
export function joinStates(a: ProgressState, b: ProgressState): ProgressState {
  const classes = new Map(a.classes);
  for (const [id, viewed] of b.classes) classes.set(id, earliest(classes.get(id) ?? null, viewed));
  return {
    completion_pct: Math.max(a.completion_pct, b.completion_pct),
    certified: a.certified || b.certified,
    dates: {
      started_at: earliest(a.dates.started_at, b.dates.started_at),
      last_activity_at: latest(a.dates.last_activity_at, b.dates.last_activity_at),
      completed_at: latest(a.dates.completed_at, b.dates.completed_at),
      certified_at: latest(a.dates.certified_at, b.dates.certified_at),
    },
    classes,
  };
}

/** Organic progress, which the platform recorded: its dates count as sent. */
export function nativeState(native: Progress): ProgressState {
  return toState(native, [], []);
}

/** A contribution as a state to join. A default date never beats one that was sent. */
export function stateOf(contribution: Contribution): ProgressState {
  return toState(contribution, contribution.defaulted, contribution.defaulted_classes);
}

function toState(
  progress: Progress,
  defaultedDates: readonly DatedField[],
  defaultedClasses: readonly number[],
): ProgressState {
  const fields = new Set(defaultedDates);
  const classes = new Set(defaultedClasses);
  const dated = (field: DatedField) => knownDate(progress[field], fields.has(field));
  const isCertified = progress.approved_course === 1;
  return {
    completion_pct: progress.completion_pct,
    certified: isCertified,
    dates: {
      started_at: dated('started_at'),
      last_activity_at: dated('last_activity_at'),
      completed_at: dated('completed_at'),
      certified_at: isCertified ? dated('certified_at') : null,
    },
    classes: new Map(
      progress.classes.map(({ platform_class_id: id, viewed_at }) => [id, knownDate(viewed_at, classes.has(id))]),
    ),
  };
}

/** Rule 11: at least what viewed classes of the course imply, which is no part of the join. Classes sorted by id. */
export function toProgress(state: ProgressState, course: CourseNow): Progress {
  const { certified, dates, classes } = state;
  const { completion_pct, completed_at } = completionIn(course, state);
  return {
    completion_pct,
    classes: [...classes]
      .map(([platform_class_id, viewed]) => ({ platform_class_id, viewed_at: viewed?.at ?? null }))
      .toSorted((a, b) => a.platform_class_id - b.platform_class_id),
    approved_course: certified ? 1 : 0,
    certified_at: dates.certified_at?.at ?? null,
    started_at: dates.started_at?.at ?? null,
    last_activity_at: dates.last_activity_at?.at ?? null,
    completed_at,
  };
}

function completionIn(course: CourseNow, state: ProgressState) {
  const { completion_pct, classes } = state;
  const viewed = course?.classes.filter(({ platform_class_id }) => classes.has(platform_class_id)) ?? [];
  const implied = derivedPct(viewed.length, course?.classes.length ?? 0);
  const known = state.dates.completed_at ?? viewsThatComplete(state, course).reduce(latest, null);
  return { completion_pct: Math.max(implied, completion_pct), completed_at: known?.at ?? null };
}

/** Rule 11: the views of a course without an exam that only its united classes complete, "if no `completed_at` is known". */
function viewsThatComplete({ completion_pct, dates, classes }: ProgressState, course: CourseNow): KnownDate[] {
  if (course === undefined || course.has_exam || course.classes.length === 0) return [];
  if (completion_pct === 100 || dates.completed_at !== null) return [];
  const views = course.classes.map(({ platform_class_id }) => classes.get(platform_class_id));
  return views.every((view) => view !== undefined) ? views : [];
}

/** Rule 5: the classes whose `viewed_at` nobody sent, where the united classes give a date of completion that leaves them out. */
export function undatedClasses(state: ProgressState | null, course: NonNullable<CourseNow>): number[] {
  const views = state === null ? [] : viewsThatComplete(state, course);
  if (views.every((view) => view === null)) return [];
  return course.classes.flatMap(({ platform_class_id }, at) => (views[at]?.sent === true ? [] : [platform_class_id]));
}

function knownDate(at: Instant | null, isDefault: boolean): KnownDate {
  return at === null ? null : { at, sent: !isDefault };
}

function earliest(a: KnownDate, b: KnownDate): KnownDate {
  return greater(a, b, (one, other) => one < other);
}

function latest(a: KnownDate, b: KnownDate): KnownDate {
  return greater(a, b, (one, other) => one > other);
}

function greater(a: KnownDate, b: KnownDate, isBetter: (one: Instant, other: Instant) => boolean): KnownDate {
  if (a === null || b === null) return a ?? b;
  if (a.sent !== b.sent) return a.sent ? a : b;
  return isBetter(b.at, a.at) ? b : a;
}

/** Effective progress (§4.3: "the maximum is kept per dimension"): the join of organic progress and contributions. */
import type { Contribution, DatedField, Instant, Progress } from '../shared/model.ts';

/**
 * A date of a learner's progress. `sent`: a client sent it or the platform recorded it; else it is a default. Dates are totally
 * ordered: none, then defaults, then sent ones ("a default never beats a date that someone sent"), and among these by time. The
 * join of two dates is the greater one.
 */
type KnownDate = { readonly at: Instant; readonly sent: boolean } | null;

/**
 * Progress in the shape that can be joined: every member is totally ordered, or a union of such, and `joinStates` takes the
 * greater of each. So the join is associative, commutative and idempotent.
 */
export interface ProgressState {
  readonly completion_pct: number;
  readonly certified: boolean;
  readonly dates: Readonly<Record<DatedField, KnownDate>>;
  /** Viewed classes by id. */
  readonly classes: ReadonlyMap<number, KnownDate>;
}

/**
 * The join of organic progress and every contribution (§4.3), whatever their order. `null` if there is neither. Classes are
 * sorted by id.
 *
 * @example
 * const none = { approved_course: 0, certified_at: null, started_at: null, last_activity_at: null, completed_at: null };
 * const native = { ...none, completion_pct: 40, classes: [], started_at: '2025-01-01T00:00:00.000Z' };
 * const migrated = { ...native, completion_pct: 80, started_at: '2024-01-01T00:00:00.000Z', defaulted: [], defaulted_classes: [] };
 * const { completion_pct, started_at } = effectiveProgress(native, [migrated]);
 * [completion_pct, started_at]; // => [80, '2024-01-01T00:00:00.000Z']
 * effectiveProgress(null, []); // => null
 */
export function effectiveProgress(native: Progress | null, contributions: readonly Contribution[]): Progress | null {
  const state = joinedState(native, contributions);
  return state && toProgress(state);
}

/** The same join, in the shape to which further contributions can be joined. */
export function joinedState(native: Progress | null, contributions: readonly Contribution[]): ProgressState | null {
  const states = [...(native === null ? [] : [nativeState(native)]), ...contributions.map(stateOf)];
  return states.length === 0 ? null : states.reduce(joinStates);
}

/**
 * Highest percentage, union of classes (earliest `viewed_at`), earliest `started_at`, latest `last_activity_at`, earliest
 * `completed_at`, certified if either is (earliest `certified_at`).
 */
export function joinStates(a: ProgressState, b: ProgressState): ProgressState {
  const classes = new Map(a.classes);
  for (const [id, viewed] of b.classes) classes.set(id, earliest(classes.get(id) ?? null, viewed));
  return {
    completion_pct: Math.max(a.completion_pct, b.completion_pct),
    certified: a.certified || b.certified,
    dates: {
      started_at: earliest(a.dates.started_at, b.dates.started_at),
      last_activity_at: latest(a.dates.last_activity_at, b.dates.last_activity_at),
      completed_at: earliest(a.dates.completed_at, b.dates.completed_at),
      certified_at: earliest(a.dates.certified_at, b.dates.certified_at),
    },
    classes,
  };
}

/** Organic progress, which the platform recorded: its dates count as sent. */
export function nativeState(native: Progress): ProgressState {
  return toState(native, [], []);
}

/** The progress of one migrated record, with its defaulted dates distinguished from the dates that were sent. */
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

/** The progress that a joined state amounts to. Classes are sorted by id. */
export function toProgress({ completion_pct, certified, dates, classes }: ProgressState): Progress {
  return {
    completion_pct,
    classes: [...classes]
      .map(([platform_class_id, viewed]) => ({ platform_class_id, viewed_at: viewed?.at ?? null }))
      .toSorted((a, b) => a.platform_class_id - b.platform_class_id),
    approved_course: certified ? 1 : 0,
    certified_at: dates.certified_at?.at ?? null,
    started_at: dates.started_at?.at ?? null,
    last_activity_at: dates.last_activity_at?.at ?? null,
    completed_at: dates.completed_at?.at ?? null,
  };
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

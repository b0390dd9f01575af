import { earliest, latest, type KnownDate } from './known-date.ts';
import type { Contribution, DatedField, Instant, Progress } from './model.ts';

/**
 * Progress in the form that the laws of the join hold in: every member is totally ordered, or a union of such, and `joined`
 * takes the greater of each. It is associative, commutative and idempotent.
 */
export interface Reached {
  readonly completion_pct: number;
  readonly certified: boolean;
  readonly dates: Readonly<Record<DatedField, KnownDate>>;
  /** Viewed classes by id. */
  readonly classes: ReadonlyMap<number, KnownDate>;
}

/** What the platform recorded: its dates count as sent. */
export function reachedNatively(native: Progress): Reached {
  return toReached(native, [], []);
}

/** What one migrated record reaches: its defaulted dates are told apart from those that someone sent. */
export function reachedBy(contribution: Contribution): Reached {
  return toReached(contribution, contribution.defaulted, contribution.defaulted_classes);
}

/**
 * Highest percentage, union of classes (earliest `viewed_at`), earliest `started_at`, latest `last_activity_at`, earliest
 * `completed_at`, certified if either is (earliest `certified_at`).
 */
export function joined(a: Reached, b: Reached): Reached {
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

function toReached(
  progress: Progress,
  defaultedDates: readonly DatedField[],
  defaultedClasses: readonly number[],
): Reached {
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

function knownDate(at: Instant | null, isDefault: boolean): KnownDate {
  return at === null ? null : { at, sent: !isDefault };
}

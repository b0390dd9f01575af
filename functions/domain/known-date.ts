import type { Instant } from './model.ts';

/**
 * A date of a learner's progress, and whether someone sent it or the platform recorded it. Dates are totally ordered: none,
 * then defaults, then sent ones ("a default never beats a date that someone sent"), and among these by time. The join of two
 * dates is the greater one, so it is associative, commutative and idempotent.
 */
export type KnownDate = { readonly at: Instant; readonly sent: boolean } | null;

export function earliest(a: KnownDate, b: KnownDate): KnownDate {
  return greater(a, b, (one, other) => one < other);
}

export function latest(a: KnownDate, b: KnownDate): KnownDate {
  return greater(a, b, (one, other) => one > other);
}

function greater(a: KnownDate, b: KnownDate, isBetter: (one: Instant, other: Instant) => boolean): KnownDate {
  if (a === null || b === null) return a ?? b;
  if (a.sent !== b.sent) return a.sent ? a : b;
  return isBetter(b.at, a.at) ? b : a;
}

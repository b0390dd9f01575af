import { canonicalJson } from './canonical-json.ts';
import type { Contribution, Pair, Progress } from './model.ts';
import { joined, reachedBy, reachedNatively, type Reached } from './reached.ts';

/**
 * Effective progress (§4.3: "the maximum is kept per dimension"): the join of the organic lane and every contribution, in
 * whatever order. `null` if there is nothing to join. Classes are ordered by id.
 */
export function effectiveProgress(native: Progress | null, contributions: readonly Contribution[]): Progress | null {
  const lanes = [...(native === null ? [] : [reachedNatively(native)]), ...contributions.map(reachedBy)];
  return lanes.length === 0 ? null : toProgress(lanes.reduce(joined));
}

/** Whether joining the older contribution to anything that holds the newer one changes nothing. */
export function dominates(newer: Contribution, older: Contribution): boolean {
  const reached = reachedBy(newer);
  return textOf(joined(reached, reachedBy(older))) === textOf(reached);
}

/** `7/101`: user and course as one key of a map. */
export function pairKey({ user_id, platform_course_id }: Pair): string {
  return `${user_id}/${platform_course_id}`;
}

/** Classes keep the order of the first operand, so equal joins give equal texts. */
function textOf(reached: Reached): string {
  return canonicalJson({ ...reached, classes: [...reached.classes] });
}

function toProgress({ completion_pct, certified, dates, classes }: Reached): Progress {
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

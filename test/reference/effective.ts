/** Rule 11: effective progress, date by date. */
import { impliedPercentage } from '../kit/implied-percentage.ts';
import type { Dated, ReferenceCourse, SourceProgress } from './world.ts';

export interface EffectiveProgress {
  readonly completion_pct: number;
  readonly classes_viewed: number;
  readonly approved_course: 0 | 1;
  readonly certified_at: string | null;
  readonly started_at: string | null;
  readonly last_activity_at: string | null;
  readonly completed_at: string | null;
}

// The rule in one piece.
// oxlint-disable-next-line complexity
export function effectiveOf(
  sources: readonly SourceProgress[],
  course: ReferenceCourse | undefined,
): EffectiveProgress {
  const certified = sources.filter((source) => source.certified);
  const classes = classesOf(sources);
  const highest = Math.max(...sources.map((source) => source.completion_pct));
  const completed_at = last(sources.map((source) => source.completed_at));
  const viewed = course ? course.classes.filter((id) => classes.has(id)) : [];
  const implied = impliedPercentage(viewed.length, course?.classes.length ?? 0);
  const views = viewed.map((id) => firstView(sources, id) ?? null);
  const isCompletedByUnion = implied > highest && implied === 100 && course?.has_exam === false;
  return {
    completion_pct: implied > highest ? implied : highest,
    classes_viewed: classes.size,
    approved_course: certified.length > 0 ? 1 : 0,
    certified_at: last(certified.map((source) => source.certified_at)),
    started_at: first(sources.map((source) => source.started_at)),
    last_activity_at: last(sources.map((source) => source.last_activity_at)),
    completed_at: completed_at ?? (isCompletedByUnion ? last(views) : null),
  };
}

export function classesOf(sources: readonly SourceProgress[]): Map<number, string | null> {
  const ids = new Set(sources.flatMap((source) => [...source.classes.keys()]));
  return new Map([...ids].map((id) => [id, firstView(sources, id)?.at ?? null]));
}

function firstView(sources: readonly SourceProgress[], id: number): Dated | undefined {
  return candidates(sources.map((source) => source.classes.get(id) ?? null))[0];
}

const first = (dates: readonly (Dated | null)[]): string | null => candidates(dates)[0]?.at ?? null;
const last = (dates: readonly (Dated | null)[]): string | null => candidates(dates).at(-1)?.at ?? null;

/** "A default never beats a date that someone sent." */
function candidates(dates: readonly (Dated | null)[]): Dated[] {
  const known = dates.filter((date) => date !== null);
  const sent = known.filter((date) => date.sent);
  return (sent.length > 0 ? sent : known).toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

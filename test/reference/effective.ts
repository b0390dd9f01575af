/** Rule 11: effective progress, date by date. */
import type { Progress } from '../../functions/shared/model.ts';
import { impliedPercentage } from '../kit/implied-percentage.ts';
import { referenceDate } from './date.ts';

/** `sent`: whether a record or the platform had the date; otherwise it is a default. */
export interface Dated {
  readonly at: string;
  readonly sent: boolean;
}

/** What one record, or the platform, says of a learner in a course. */
export interface SourceProgress {
  readonly completion_pct: number;
  readonly certified: boolean;
  readonly certified_at: Dated | null;
  readonly started_at: Dated | null;
  readonly last_activity_at: Dated | null;
  readonly completed_at: Dated | null;
  readonly classes: ReadonlyMap<number, Dated | null>;
}

type Members = Readonly<Record<string, unknown>>;

/** A record in its course, by rules 7 to 9. */
export interface Evaluated {
  readonly completion_pct: number;
  readonly warnings: readonly string[];
  readonly passed: boolean;
  /** The assessment counts in this course. */
  readonly assessment: Members | undefined;
  /** The first entry of each listed class of the course. */
  readonly viewed: ReadonlyMap<number, string | undefined> | undefined;
}

/** Rule 5. */
export function recordSource(progress: Members | undefined, evaluated: Evaluated, created_at: string): SourceProgress {
  const dated = (value: unknown): Dated =>
    typeof value === 'string' ? { at: referenceDate(value) as string, sent: true } : { at: created_at, sent: false };
  const completes = evaluated.completion_pct === 100;
  const completed = progress?.['completed_at'];
  return {
    completion_pct: evaluated.completion_pct,
    certified: evaluated.passed,
    certified_at: evaluated.passed ? dated(evaluated.assessment?.['taken_at']) : null,
    started_at: dated(progress?.['started_at']),
    last_activity_at: dated(progress?.['last_activity_at']),
    completed_at: completed === null || (completed === undefined && !completes) ? null : dated(completed),
    classes: new Map([...(evaluated.viewed ?? [])].map(([id, viewed_at]) => [id, dated(viewed_at)])),
  };
}

interface Defaulted {
  readonly defaulted: readonly string[];
  readonly defaulted_classes: readonly number[];
}

/** Progress as the service has it. Of organic progress all dates count as sent. */
export function sourceOf(
  progress: Progress,
  { defaulted, defaulted_classes }: Defaulted = { defaulted: [], defaulted_classes: [] },
): SourceProgress {
  const dated = (at: string | null, isDefault: boolean): Dated | null =>
    at === null ? null : { at, sent: !isDefault };
  const dateOf = (field: 'certified_at' | 'started_at' | 'last_activity_at' | 'completed_at') =>
    dated(progress[field], defaulted.includes(field));
  return {
    completion_pct: progress.completion_pct,
    certified: progress.approved_course === 1,
    certified_at: dateOf('certified_at'),
    started_at: dateOf('started_at'),
    last_activity_at: dateOf('last_activity_at'),
    completed_at: dateOf('completed_at'),
    classes: new Map(
      progress.classes.map(({ platform_class_id: id, viewed_at }) => [
        id,
        dated(viewed_at, defaulted_classes.includes(id)),
      ]),
    ),
  };
}

/** The members of which the highest counts. */
export const AMOUNTS = ['completion_pct'] as const;

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
  course: { readonly has_exam: boolean; readonly classes: readonly number[] } | undefined,
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

/** Rule 5: the united classes give the date of completion, and nobody sent the view of one of them. */
export function isDateOfClassesAssumed(
  sources: readonly SourceProgress[],
  course: { readonly has_exam: boolean; readonly classes: readonly number[] },
): boolean {
  const isDateOfClasses =
    sources.every(({ completed_at }) => completed_at === null) && effectiveOf(sources, course).completed_at !== null;
  return isDateOfClasses && course.classes.some((id) => firstView(sources, id)?.sent !== true);
}

/** Progress of the service, or of the reference, as text that is equal where they agree. */
export function textOfProgress(progress: object | null | undefined): string {
  const { classes, user_id: _, platform_course_id: __, ...members } = { classes: undefined, ...progress } as Members;
  const all = { ...(Array.isArray(classes) && { classes_viewed: classes.length }), ...members };
  return JSON.stringify(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
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

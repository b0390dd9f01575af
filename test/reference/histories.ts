/** Histories of learners in parts, in any order and any imports: renewed certificates, and classes split up. */
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import type { Progress } from '../../functions/shared/model.ts';
import { Dice } from '../kit/dice.ts';
import { ReferenceCompany, withoutBefore, type NativeRow } from './company.ts';
import { impliedPercentage } from '../kit/implied-percentage.ts';
import { USERS } from './random-records.ts';
import type { ReferenceCourse, ReferenceUser } from './world.ts';

interface LearnerHistory {
  readonly user: ReferenceUser;
  readonly course: ReferenceCourse;
  readonly native: Progress | undefined;
  readonly records: readonly object[];
  /** Whether the effective progress is the sum of these parts. */
  readonly isExpected: (progress: Progress | null) => boolean;
}

export type HistoryMaker = (dice: Dice, course: ReferenceCourse) => Omit<LearnerHistory, 'user' | 'course'>;

const LEARNERS = USERS.filter(({ active }) => active);
const yearly = (year: number): string => `${year}-03-01T00:00:00.000Z`;

/** A certificate of each of some years, one perhaps organic, one perhaps without dates: the latest counts. */
export const renewals: HistoryMaker = (dice) => {
  const years = dice.shuffled([2019, 2020, 2021, 2022, 2023, 2024, 2025]).slice(0, dice.between(2, 6));
  const organic = dice.chance(0.4) ? years.pop() : undefined;
  const sent = years.map((year) => ({
    progress: { completion_pct: 100, completed_at: yearly(year) },
    assessment: { status: 'passed', taken_at: yearly(year) },
  }));
  const undated = dice.chance(0.2) ? [{ assessment: { status: 'passed' } }] : [];
  const latest = yearly(Math.max(...years, organic ?? 0));
  return {
    native: organic === undefined ? undefined : renewedNative(yearly(organic)),
    records: [...sent, ...undated],
    isExpected: (progress) => progress?.completed_at === latest && progress.certified_at === latest,
  };
};

function renewedNative(date: string): Progress {
  return { ...NO_PROGRESS, completion_pct: 100, approved_course: 1, certified_at: date, completed_at: date };
}

/** The classes of one record, split over records and organic progress: the percentage of the whole. */
export const splitClasses: HistoryMaker = (dice, { classes, has_exam }) => {
  const viewed = classes.filter(() => dice.chance(0.8)).map((id) => ({ id, at: yearly(dice.between(2015, 2025)) }));
  const parts = Array.from({ length: dice.between(1, 4) }, () => viewed.filter(() => dice.chance(0.3)));
  for (const view of viewed) if (!parts.some((part) => part.includes(view))) parts[0]?.push(view);
  const views = parts.map((part) => part.map(({ id, at }) => ({ platform_class_id: id, viewed_at: at })));
  const organic = dice.chance(0.5) ? views.pop() : undefined;
  const whole = impliedPercentage(viewed.length, classes.length);
  const isSplit = views.every((part) => part.length < classes.length);
  const last = viewed
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
  const completed_at = whole === 100 && !has_exam ? last : null;
  return {
    native: organic && { ...NO_PROGRESS, classes: organic },
    records: views.map((part) => ({ progress: { classes: part } })),
    isExpected: (progress) =>
      (progress?.completion_pct ?? 0) === whole && (!isSplit || (progress?.completed_at ?? null) === completed_at),
  };
};

/** Imports a history of each learner. Returns what is not as expected, and where the dry run was wrong. */
export async function importHistories(
  seed: number,
  make: HistoryMaker,
  courses: readonly ReferenceCourse[],
): Promise<object[]> {
  const dice = new Dice(seed, 9);
  const histories = LEARNERS.map((user): LearnerHistory => {
    const course = dice.pick(courses);
    return { user, course, ...make(dice, course) };
  });
  const company = new ReferenceCompany(seed);
  await company.create(histories.flatMap(nativeRow));
  const records = dice.shuffled(histories.flatMap(recordsOf));
  const wrong: object[] = [];
  while (records.length > 0) {
    const batch = records.splice(0, dice.between(1, 200));
    const [dry, real] = [await company.import(batch, true), await company.import(batch, false)];
    if (JSON.stringify(withoutBefore(dry.results)) !== JSON.stringify(real.results)) wrong.push({ dry, real });
    company.later();
  }
  for (const { user, course, isExpected } of histories) {
    const progress = await company.progressOf(user.user_id, course.platform_course_id);
    if (!isExpected(progress)) wrong.push({ user, course, progress });
  }
  return wrong;
}

function nativeRow({ user, course, native }: LearnerHistory): NativeRow[] {
  const { platform_course_id } = course;
  return native === undefined ? [] : [{ user_id: user.user_id, platform_course_id, progress: native }];
}

function recordsOf({ user, course, records }: LearnerHistory): object[] {
  const content = { type: 'course', platform_course_id: course.platform_course_id };
  return records.map((blocks, at) => ({
    external_record_id: `${user.user_id}-${at}`,
    user: { email: user.email },
    content,
    ...blocks,
  }));
}

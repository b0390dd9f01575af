/** Items of the plain baseline: one record, one item; everything as it reads, nothing packed. */
import type { Contribution, CourseHistory, LearnerCourse, Progress } from '../../../functions/shared/model.ts';

export const identityKey = (company: string, id: string) => ({ pk: `${company}#record#${id}`, sk: 'record' });
export const importKey = (company: string, id: string) => ({ pk: `${company}#import#${id}`, sk: 'import' });
export const resultKey = (company: string, id: string, index: number) => ({
  pk: `${company}#import#${id}`,
  sk: `result#${String(index).padStart(4, '0')}`,
});
export const progressKey = (company: string, { user_id, platform_course_id }: LearnerCourse) => ({
  pk: `${company}#learner#${user_id}`,
  sk: `course#${platform_course_id}`,
});

/** A learner's progress in a course: the organic lane and a list of contributions. */
export interface ProgressItem {
  readonly native?: Progress;
  readonly contributions: readonly Contribution[];
}

export function learnerCourseOf(pair: LearnerCourse, item: ProgressItem | undefined): CourseHistory | undefined {
  return item && { ...pair, native: item.native ?? null, contributions: item.contributions, bytes: 0 };
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/#record#/, 'identity'],
  [/#learner#/, 'learner-course'],
  [/\nresult#/, 'result'],
  [/\nimport$/, 'import'],
  [/#user#/, 'user'],
  [/#catalog\n/, 'course'],
];

export function kindOfKey(pk: string, sk: string): string {
  return KINDS.find(([pattern]) => pattern.test(`${pk}\n${sk}`))?.[1] ?? 'access';
}

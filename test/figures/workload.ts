/** Learners, courses and records of the figures: the same ones on every run, because a fixed seed draws them. */
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import type { Company, Course, User } from '../../functions/shared/model.ts';
import { Dice } from '../kit/dice.ts';
import { planted } from '../kit/planted.ts';
import type { EveryStore } from '../kit/services.ts';

export const COMPANY_ID = 'figures';
export const RECORDS_PER_IMPORT = 500;

export const COMPANY: Company = {
  company_id: COMPANY_ID,
  name: 'Figures',
  migrations_enabled: true,
  cursor_key: 'c'.repeat(43),
};

const ADMIN_ID = 1;
const FIRST_LEARNER_ID = 1000;
const FIRST_COURSE_ID = 100;
const CLASSES_PER_COURSE = 120;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2021, 0, 1);
const DAYS = 1500;

export const ADMIN: User = user(ADMIN_ID, 'admin', 'admin');

export const learners = (count: number): User[] =>
  Array.from({ length: count }, (_, i) => user(FIRST_LEARNER_ID + i, `learner-${padded(i)}`, 'customer'));

export const courses = (count: number): Course[] =>
  Array.from({ length: count }, (_, i) => ({
    platform_course_id: FIRST_COURSE_ID + i,
    title: `Course ${i + 1}`,
    has_exam: i % 2 === 0,
    classes: classIds(i).map((platform_class_id, at) => ({ platform_class_id, title: `Class ${at + 1}` })),
  }));

export interface Shape {
  /** Their product with `courses` is the size of the import. */
  readonly learners: number;
  readonly courses: number;
  readonly classes?: number;
}

/** One import: every learner in every course once. Imports with different `from` share no learner or course. */
export function importOf({ learners: people, courses: taken, classes = 0 }: Shape, from: Partial<Shape> = {}) {
  const { learners: firstLearner = 0, courses: firstCourse = 0 } = from;
  const dice = new Dice(1 + firstLearner + 7919 * firstCourse + classes);
  return Array.from({ length: people * taken }, (_, i) =>
    record(firstLearner + (i % people), firstCourse + Math.floor(i / people), classes, dice),
  );
}

function record(learner: number, course: number, classes: number, dice: Dice) {
  const started = FIRST_DAY_MS + dice.below(DAYS) * DAY_MS + dice.below(DAY_MS);
  const last = started + dice.below(90) * DAY_MS;
  const completion_pct = dice.chance(0.5) ? 100 : dice.below(100);
  const certified = completion_pct === 100 && course % 2 === 0;
  const viewed = classIds(course).slice(0, classes);
  return {
    external_record_id: `lms-${padded(learner)}-${padded(course)}`,
    user: { email: address(`learner-${padded(learner)}`) },
    content: { type: 'course', platform_course_id: FIRST_COURSE_ID + course },
    progress: {
      completion_pct,
      started_at: instant(started),
      last_activity_at: instant(last),
      ...(completion_pct === 100 && { completed_at: instant(last) }),
      ...(classes > 0 && {
        classes: viewed.map((platform_class_id, i) => ({
          platform_class_id,
          viewed_at: instant(started + Math.floor((i * (last - started)) / classes)),
        })),
      }),
    },
    ...(certified && {
      assessment: { status: 'passed', score_pct: 60 + dice.below(40), taken_at: instant(last) },
    }),
  };
}

export type FiguresRecord = ReturnType<typeof record>;

/** The same records with other content: that of a later night. */
export const renewed = (records: readonly FiguresRecord[], nights = 1): FiguresRecord[] =>
  records.map(({ progress: { completed_at: _, ...progress }, ...rest }) => ({
    ...rest,
    progress: {
      ...progress,
      completion_pct: (progress.completion_pct + nights) % 100,
      last_activity_at: instant(FIRST_DAY_MS + (DAYS + 90 + nights) * DAY_MS),
    },
  }));

export const secondFile = (records: readonly FiguresRecord[]): FiguresRecord[] =>
  records.map((each) => ({ ...each, external_record_id: `second-${each.external_record_id}` }));

export const namedByIds = (records: readonly FiguresRecord[]) =>
  records.map(({ user: { email }, content, ...rest }) => ({
    ...rest,
    user: { external_user_id: externalUser(email) },
    content: { type: content.type, external_course_id: externalCourse(content.platform_course_id) },
  }));

const externalUser = (email: string): string => `sf-${email.split('@', 1)[0]}`;
const externalCourse = (id: number): string => `sf-course-${id}`;

export async function loadPlatform(
  { platform, mappings }: Pick<EveryStore, 'platform' | 'mappings'>,
  data: { readonly learners: number; readonly courses: number },
): Promise<void> {
  const updated_at = '2025-01-01T00:00:00.000Z';
  const [users, catalog] = [learners(data.learners), courses(data.courses)];
  await planted(platform).putCompanies([COMPANY]);
  await planted(platform).putUsers([ADMIN, ...users]);
  await planted(platform).putCourses(COMPANY_ID, catalog);
  const named = users.map(({ email, user_id }) => ({
    external_user_id: externalUser(email),
    email,
    user_id,
    updated_at,
  }));
  await mappings.putUserMappings(COMPANY_ID, named);
  await mappings.putCourseMappings(
    COMPANY_ID,
    catalog.map(({ platform_course_id: id }) => ({
      external_course_id: externalCourse(id),
      platform_course_id: id,
      updated_at,
    })),
  );
}

export const organicOf = (records: readonly FiguresRecord[]) =>
  records.map(({ user: { email }, content }) => ({
    company_id: COMPANY_ID,
    user_id: FIRST_LEARNER_ID + Number(/\d+/.exec(email)),
    platform_course_id: content.platform_course_id,
    progress: {
      ...NO_PROGRESS,
      completion_pct: 40,
      started_at: '2024-01-01T00:00:00.000Z',
      last_activity_at: '2024-02-01T00:00:00.000Z',
    },
  }));

const padded = (i: number): string => String(i).padStart(6, '0');
const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
const classIds = (course: number): number[] =>
  Array.from({ length: CLASSES_PER_COURSE }, (_, i) => (FIRST_COURSE_ID + course) * 1000 + i);

function user(user_id: number, name: string, role: User['role']): User {
  const avatar = `https://cdn.example.com/${name}.png`;
  return { company_id: COMPANY_ID, user_id, email: address(name), name, role, avatar, license: 'active' };
}

function address(name: string): string {
  return `${name}@figures.example`;
}

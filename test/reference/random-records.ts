/** Records that exercise every rule: mostly valid, some with one or more faults. */
import { formsOf } from '../kit/date-forms.ts';
import type { Dice } from '../kit/dice.ts';
import { progressWith } from './shape.ts';
import type { ReferenceCourse, ReferenceUser } from './world.ts';

export const USERS: readonly ReferenceUser[] = Array.from({ length: 60 }, (_, at) => ({
  user_id: at + 1,
  email: at % 7 === 3 ? `Kelvin\u212A${at}@acme.test` : `User${at}@acme.test`,
  active: at % 11 !== 5,
}));

export const COURSES: readonly ReferenceCourse[] = [0, 1, 2, 3, 3, 6, 7, 12].map((classes, at) => ({
  platform_course_id: at * 100,
  has_exam: at % 2 === 1,
  classes: Array.from({ length: classes }, (_, number) => at * 1_000 + number),
}));

export const USER_MAPPINGS = new Map<string, number>(
  USERS.slice(0, 30).map(({ user_id }) => [`${9_000 + user_id}`, user_id]),
);
export const COURSE_MAPPINGS = new Map<string, number>(
  COURSES.map((course) => [`ext ${course.platform_course_id}`, course.platform_course_id]),
);

/** Moments at offsets in minutes; each is written in every form. */
const MOMENTS: readonly (readonly [moment: string, offset: number])[] = [
  ['2024-02-29T00:00:00.000Z', 0],
  ['2024-01-31T10:15:00.000Z', 0],
  ['2024-01-31T10:15:30.123Z', 0],
  ['2024-06-01T09:59:59.900Z', 840],
  ['2024-01-01T05:00:00.000Z', -330],
  ['2020-12-31T23:00:00.000Z', 60],
  ['0001-01-01T00:00:00.000Z', 0],
  ['2025-12-31T00:00:00.001Z', 0],
  ['9999-12-31T23:59:00.000Z', -1],
];
const DATES = ['2024-02-29', ...MOMENTS.flatMap(([moment, offset]) => formsOf(Date.parse(moment), offset))];
/** `test/records/instants.test.ts` has every way to write no date. */
const NO_DATES = [
  '2023-02-29',
  '2024-01-01T24:01',
  '2024-01-01T10:00:60Z',
  '0000-12-31T23:00-02:00',
  '20240101T10:00',
  '',
];
const WRONG: readonly unknown[] = [
  7,
  -1,
  1.5,
  true,
  'text',
  '',
  [],
  {},
  [1],
  1e300,
  '\ud800',
  'a'.repeat(129),
  '😀'.repeat(128),
];
const PERCENTAGES = [0, 1, 33.33, 33.34, 50, 66.66, 66.67, 99.999, 100, 1e-7, 100.0001, -0.5, 1e9, -0];

/** A record of any learner and course. Its external_record_id is `id`, unless that is one of its faults. */
export function randomRecord(dice: Dice, id: string): unknown {
  if (dice.chance(0.01)) return dice.pick([null, 3, 'record', [], true]);
  const record: Record<string, unknown> = {
    external_record_id: dice.chance(0.02) ? dice.pick(WRONG) : id,
    user: randomUser(dice),
    content: randomContent(dice),
    ...(dice.chance(0.85) && { progress: randomProgress(dice) }),
    ...(dice.chance(0.4) && { assessment: randomAssessment(dice) }),
    ...(dice.chance(0.05) && { note: 'unknown' }),
  };
  if (dice.chance(0.04)) record[dice.pick(['user', 'content', 'progress', 'assessment'])] = dice.pick([...WRONG, null]);
  if (dice.chance(0.002)) record['ballast'] = 'x'.repeat(65_536);
  return record;
}

function orWrong(dice: Dice, value: unknown, odds = 0.02): unknown {
  return dice.chance(odds) ? dice.pick([...WRONG, null]) : value;
}

function randomUser(dice: Dice): unknown {
  const user = dice.pick(USERS);
  const other = dice.chance(0.05) ? dice.pick(USERS) : user;
  const mapped = 9_000 + other.user_id;
  const byEmail = {
    email: orWrong(
      dice,
      dice.chance(0.03) ? 'nobody@acme.test' : dice.chance(0.3) ? user.email.toUpperCase() : user.email,
    ),
  };
  const byMapping = { external_user_id: orWrong(dice, dice.chance(0.5) ? mapped : `${mapped}`) };
  return dice.pick([
    byEmail,
    byEmail,
    byMapping,
    { ...byEmail, ...byMapping },
    { ...byEmail, ...(dice.chance(0.1) && { extra: 1 }) },
  ]);
}

function randomContent(dice: Dice): unknown {
  const course = dice.pick(COURSES).platform_course_id;
  const other = dice.chance(0.05) ? dice.pick(COURSES).platform_course_id : course;
  const type = dice.chance(0.03) ? dice.pick<unknown>(['path', 'Course', '', 5, null]) : 'course';
  const byId = { platform_course_id: orWrong(dice, dice.chance(0.03) ? 12_345 : course) };
  const byMapping = { external_course_id: orWrong(dice, dice.chance(0.03) ? 'unknown' : `ext ${other}`) };
  const ref = dice.chance(0.2)
    ? { external_ref: dice.pick<unknown>(['ref', '', 'x'.repeat(1_024), 'x'.repeat(1_025), 5, 0.5, false, [], null]) }
    : {};
  return { type, ...dice.pick([byId, byId, byMapping, { ...byId, ...byMapping }]), ...ref };
}

function randomDate(dice: Dice): unknown {
  return dice.chance(0.03) ? dice.pick<unknown>([...NO_DATES, 20_240_101, true, []]) : dice.pick([...DATES, null]);
}

function randomProgress(dice: Dice): unknown {
  const values = progressWith<readonly [odds: number, value: () => unknown]>({
    percentage: () => [0.6, () => orWrong(dice, dice.pick(PERCENTAGES.slice(0, dice.chance(0.1) ? 14 : 10)), 0.01)],
    number: () => [0.4, () => orWrong(dice, dice.below(4), 0.01)],
    date: () => [0.4, () => randomDate(dice)],
    classes: () => [0.5, () => orWrong(dice, randomClasses(dice), 0.02)],
  });
  const sent = Object.entries(values).filter(([, [odds]]) => dice.chance(odds));
  return {
    ...Object.fromEntries(sent.map(([name, [, value]]) => [name, value()])),
    ...(dice.chance(0.02) && { status: 'done' }),
  };
}

function randomClasses(dice: Dice): unknown {
  // More problems than one result reports.
  if (dice.chance(0.005))
    return Array.from({ length: dice.between(45, 250) }, () => ({ viewed_at: dice.pick(NO_DATES) }));
  const own = dice.pick(COURSES).classes;
  const ids = Array.from({ length: dice.below(8) }, () =>
    own.length > 0 && dice.chance(0.9) ? dice.pick(own) : dice.below(12_000),
  );
  return ids.map((id) =>
    orWrong(
      dice,
      {
        platform_class_id: orWrong(dice, id, 0.01),
        ...(dice.chance(0.5) && { viewed_at: randomDate(dice) }),
        ...(dice.chance(0.02) && { title: 'unknown' }),
      },
      0.005,
    ),
  );
}

function randomAssessment(dice: Dice): unknown {
  return {
    ...(dice.chance(0.9) && { status: orWrong(dice, dice.pick(['passed', 'passed', 'failed', 'not_taken'])) }),
    ...(dice.chance(0.5) && { score_pct: dice.pick<unknown>([0, 55.5, 100, 101, '80', null]) }),
    ...(dice.chance(0.5) && { taken_at: randomDate(dice) }),
  };
}

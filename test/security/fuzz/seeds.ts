/** Valid requests that the mutations start from: each operation's own example, and records of every kind. */
import type { Dice } from '../../kit/dice.ts';

const PEOPLE = [
  'ben.castillo@acme.test',
  'chiara.romano@acme.test',
  'dmitri.volkov@acme.test',
  'grace.mensah@acme.test',
];
const EXTERNAL_USERS = [9101, 'u-1', '9101'];
const EXTERNAL_COURSES = ['SEC-1', 77, '77'];
const DATES = [
  '2024-02-29',
  '2024-02-26T10:00:00Z',
  '2023-12-31T23:59:59.999999999+02:00',
  '2020-01-01T00:00',
  '20240229T240000,0-0330',
  '2024-060T23:59:60Z',
  '2020W537T1000+02',
];
/** Courses of the sample, with the first of their classes. */
const COURSES: readonly (readonly [id: number, classes: readonly number[]])[] = [
  [101, [1011, 1012, 1013, 1014]],
  [102, [1021, 1022, 1023]],
  [103, [1031, 1032, 1033]],
  [104, [1041, 1042, 1043]],
  [105, []],
];

let made = 0;

function record(dice: Dice): Record<string, unknown> {
  const [platform_course_id, classes] = dice.pick(COURSES);
  made += 1;
  return {
    external_record_id: dice.oneIn(6) ? `r-${dice.below(20)}` : `f-${made}`,
    user: dice.oneIn(4) ? { external_user_id: dice.pick(EXTERNAL_USERS) } : { email: dice.pick(PEOPLE) },
    content: dice.oneIn(4)
      ? { type: 'course', external_course_id: dice.pick(EXTERNAL_COURSES) }
      : { type: 'course', platform_course_id, external_ref: 'old system' },
    ...(dice.oneIn(8) ? {} : { progress: progress(dice, classes) }),
    ...(dice.oneIn(2)
      ? {}
      : {
          assessment: {
            status: dice.pick(['passed', 'failed', 'not_taken']),
            score_pct: 80,
            taken_at: dice.pick(DATES),
          },
        }),
  };
}

function progress(dice: Dice, classes: readonly number[]) {
  return {
    ...(dice.oneIn(3) ? {} : { completion_pct: dice.pick([0, 12.5, 66.67, 100]) }),
    ...(dice.oneIn(2)
      ? {}
      : {
          started_at: dice.pick(DATES),
          last_activity_at: dice.pick(DATES),
          completed_at: dice.pick([null, ...DATES]),
        }),
    ...(dice.oneIn(2)
      ? {}
      : {
          classes: classes
            .slice(dice.below(2))
            .map((platform_class_id) => ({ platform_class_id, viewed_at: dice.pick(DATES) })),
        }),
  };
}

const many = <T>(dice: Dice, most: number, make: () => T): T[] => Array.from({ length: 1 + dice.below(most) }, make);

/** A valid body of the operation; `undefined` if it takes none. */
export function validBody(name: string, dice: Dice, tokens: { readonly refresh: string }): unknown {
  switch (name) {
    case 'login':
      return { email: 'ben.castillo@acme.test', password: dice.pick(['changeme', 'wrong']) };
    case 'refresh-token':
      return { refreshToken: tokens.refresh };
    case 'resolve-users':
      return { emails: many(dice, 4, () => dice.pick([...PEOPLE, 'nobody@acme.test', 'learner@globex.test'])) };
    case 'register-user-mappings':
      return {
        mappings: many(dice, 4, () => ({ external_user_id: dice.pick(EXTERNAL_USERS), email: dice.pick(PEOPLE) })),
      };
    case 'register-course-mappings':
      return {
        mappings: many(dice, 4, () => ({
          external_course_id: dice.pick(EXTERNAL_COURSES),
          platform_course_id: dice.pick(COURSES)[0],
        })),
      };
    case 'start-import':
      return { dry_run: dice.oneIn(2), records: many(dice, 4, () => record(dice)) };
    default:
      return undefined;
  }
}

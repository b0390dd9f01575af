/** Valid requests that the mutations start from: the example of each operation, and records with every member. */
import type { Route } from '../../../functions/shared/routes.ts';
import type { Dice } from '../../kit/dice.ts';
import { exampleBody } from '../../kit/documented.ts';

const PEOPLE = ['ben.castillo@acme.test', 'chiara.romano@acme.test', 'dmitri.volkov@acme.test'];
const COURSES = [101, 102, 103, 104, 105];
const DATES = ['2024-02-29', '2023-12-31T23:59:59.999999999+02:00', '2024-060T23:59:60Z', '2020W537T1000+02'];

let made = 0;

function record(dice: Dice): Record<string, unknown> {
  const platform_course_id = dice.pick(COURSES);
  const date = () => dice.pick(DATES);
  made += 1;
  return {
    external_record_id: dice.oneIn(6) ? `r-${dice.below(20)}` : `f-${made}`,
    user: dice.oneIn(4) ? { external_user_id: 9101 } : { email: dice.pick(PEOPLE) },
    content: { type: 'course', platform_course_id, external_ref: 'old system' },
    progress: {
      completion_pct: dice.pick([0, 12.5, 66.67, 100]),
      started_at: date(),
      completed_at: dice.pick([null, ...DATES]),
      classes: [1, 2].map((number) => ({ platform_class_id: platform_course_id * 10 + number, viewed_at: date() })),
    },
    ...(dice.oneIn(2) && { assessment: { status: 'passed', score_pct: 80, taken_at: date() } }),
  };
}

/** A valid body of the operation; `undefined` if it takes none, or would make later imports wait for a revert. */
export function validBody(route: Route, dice: Dice, { refresh }: { readonly refresh: string }): unknown {
  if (route.name === 'login') return { email: PEOPLE[0], password: dice.pick(['changeme', 'wrong']) };
  if (route.name === 'refresh-token') return { refreshToken: refresh };
  if (route.path.endsWith('/revert')) return undefined;
  if (route.name !== 'start-import') return exampleBody(route);
  return { dry_run: dice.oneIn(2), records: Array.from({ length: 1 + dice.below(4) }, () => record(dice)) };
}

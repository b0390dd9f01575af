/** What administrators wrote about runs, once a person is erased (§13.2). Costs milliseconds. */
import { expect, it } from 'vitest';
import { saveRun } from '../../functions/runs/draft.ts';
import { makePlan } from '../../functions/runs/make-plan.ts';
import { waitingPlan } from '../plans/plans.ts';
import { ANN, COMPANY, ERASE } from './person.ts';
import { useErasureWorld } from './world.ts';

const world = useErasureWorld();
const runOf = (run_id: string) => ({ company_id: COMPANY, run_id });

async function draft(run_id: string, decisions: object): Promise<void> {
  await saveRun(runOf(run_id), { decisions, by: 1, expected: () => true }, world.services);
}

it('an erasure blanks each text that names the person, in titles, documents and comments', async () => {
  const document = { people: { [ANN.toUpperCase()]: 9101, 'ben@acme.test': 7 }, notes: [`of ${ANN}`, 'other'] };
  for (let at = 0; at < 60; at += 1) await draft(`other ${at}`, { title: 'Ben’s', document: { rows: 3 } });
  await draft('a#1', { title: `About ${ANN}`, shape: 'moodle', document });
  const plan = { ...waitingPlan('a000000000000', 'a#1'), company_id: COMPANY, comment: `${ANN} asked for it` };
  await world.stores.plans.make(plan, [], undefined);
  await world.tell(ERASE);
  await world.comeToRest();
  const left = { people: { 'ben@acme.test': 7 }, notes: [null, 'other'] };
  expect(await world.stores.runs.read(runOf('a#1'))).toMatchObject({ title: null, shape: 'moodle', version: 2 });
  expect(await world.stores.runs.readDocument(runOf('a#1'))).toEqual(left);
  expect(await world.stores.plans.newest(runOf('a#1'))).toMatchObject({ comment: null, status: 'waiting' });
  expect(await world.stores.runs.read(runOf('other 7'))).toMatchObject({ title: 'Ben’s', version: 1 });
});

/** A dry run, found by this letter, of a record of this user. */
const dryRun = (letter: string, run_id: string, email: string) => {
  const record = {
    external_record_id: email === ANN ? 'rec-planted' : `r-${letter}`,
    user: { email },
    content: { type: 'course', platform_course_id: 101 },
    progress: { completion_pct: 50 },
  };
  return world.accept(letter.padStart(26, '0'), [record], true, run_id);
};

it('a plan of a dry run that an erasure changed says so, and no other does', async () => {
  const BEN = 'ben@acme.test';
  for (const [letter, run_id, email] of [
    ['a', 'planned', BEN],
    ['b', 'planned', ANN],
    ['c', 'other', BEN],
    ['d', 'other', ANN],
  ] as const)
    await dryRun(letter, run_id, email);
  const makeOf = async (run_id: string, letters: string) => {
    const import_ids = Array.from(letters, (letter) => letter.padStart(26, '0'));
    const made = await makePlan(runOf(run_id), { import_ids, by: 1 }, world.services);
    if (!('plan' in made)) throw new Error(made.kind);
    return made.plan;
  };
  const planned = await makeOf('planned', 'ab');
  await makeOf('other', 'c');
  await world.tell(ERASE);
  await world.comeToRest();
  const { plans } = world.stores;
  const marked = await plans.newest(runOf('planned'));
  expect(marked).toMatchObject({ status: 'waiting', erased: true, plan_digest: planned.plan_digest });
  expect((await plans.newest(runOf('other')))?.erased).toBeUndefined();
  expect(await plans.advance(planned, { status: 'approved' })).toBeUndefined();
  expect((await makeOf('other', 'cd')).erased).toBe(true);
});

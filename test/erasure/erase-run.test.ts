/** What administrators wrote about runs, once a person is erased (§13.2). Costs milliseconds. */
import { expect, it } from 'vitest';
import { saveRun } from '../../functions/runs/draft.ts';
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

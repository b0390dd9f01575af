/** How plans are stored: the newest of a run, and the list of its dry runs. Costs milliseconds. */
import { expect, it } from 'vitest';
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { hasExpired, newPlanId, shownPlan } from '../../functions/plans/plan-item.ts';
import { createWorld } from '../kit/world.ts';
import { waitingPlan } from './plans.ts';

const RUN = { company_id: 'acme', run_id: 'run' };
const PLAN = waitingPlan('a000000000000');
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => importIdForKey('acme', `key-${at}`));

/** A plan owes a notice from when it is made. */
const OWED = { owes: ['Plan Waiting'], due_at: PLAN.created_at };

async function worldWithRun() {
  const { stores } = createWorld();
  await stores.imports.putRun(RUN, { created_at: PLAN.created_at, by: 1, dry_run: true });
  return stores.plans;
}

it.each([
  ['the least', '0'.repeat(32), 'a000000000000'],
  ['the most that was drawn', 'f'.repeat(32), /^[a-z][a-z0-9]{12}$/],
])('the id of a plan has 13 of a–z0–9, the first a letter: %s', (_, hex, id) => {
  expect(newPlanId({ hex: () => hex })).toMatch(id);
});

it('the plan is read as it was made, and is the newest of its run', async () => {
  const plans = await worldWithRun();
  expect(await plans.newest(RUN)).toBeUndefined();
  expect(await plans.make(PLAN, idsOf(1), undefined)).toBe(true);
  expect(await plans.newest(RUN)).toEqual({ ...PLAN, ...OWED });
});

it('its list is read from any place on, across the parts that it is stored in', async () => {
  const plans = await worldWithRun();
  const ids = idsOf(4_500);
  await plans.make(PLAN, ids, undefined);
  for (const [from, limit] of [
    [0, 1],
    [1_999, 2],
    [3_999, 600],
    [4_499, 5],
    [0, 20_000],
  ] as const)
    expect(await plans.listedFrom(PLAN, from, limit)).toEqual(ids.slice(from, from + limit));
});

it('a newer plan withdraws one that waits, and of two made at once the second is refused', async () => {
  const plans = await worldWithRun();
  await plans.make(PLAN, idsOf(1), undefined);
  const newer = waitingPlan('b000000000000');
  expect(await plans.make(newer, idsOf(2), PLAN)).toBe(true);
  expect(await plans.make(waitingPlan('c000000000000'), idsOf(1), PLAN)).toBe(false);
  expect(await plans.newest(RUN)).toEqual({ ...newer, ...OWED });
  expect(await plans.read(PLAN)).toEqual({ ...PLAN, ...OWED, status: 'withdrawn', version: 1 });
  expect(await plans.listedFrom({ company_id: 'acme', plan_id: 'c000000000000' }, 0, 1)).toEqual([]);
});

it('a plan keeps its list where the call that made it is sent again, because its answer was lost', async () => {
  const plans = await worldWithRun();
  for (const _ of ['first', 'again']) expect(await plans.make(PLAN, idsOf(3), undefined)).toBe(true);
  expect(await plans.listedFrom(PLAN, 0, 5)).toEqual(idsOf(3));
});

it('a plan that ended is not withdrawn by a newer one', async () => {
  const plans = await worldWithRun();
  await plans.make(PLAN, idsOf(1), undefined);
  const applied = await plans.advance(PLAN, { status: 'applied' });
  await plans.make(waitingPlan('b000000000000'), idsOf(1), applied);
  expect((await plans.read(PLAN))?.status).toBe('applied');
});

it('no plan is made of a run that does not exist', async () => {
  const { stores } = createWorld();
  expect(await stores.plans.make(PLAN, idsOf(1), undefined)).toBe(false);
  expect(await stores.plans.read(PLAN)).toBeUndefined();
});

it('an application begins once, and its plan is one of those that evidence names, in the order of application', async () => {
  const plans = await worldWithRun();
  await plans.make(PLAN, idsOf(1), undefined);
  const change = { status: 'applying', phase: 'applying', applied_at: '2026-01-03T00:00:00.000Z' } as const;
  const applying = await plans.beginApplying(PLAN, change);
  expect(applying).toMatchObject({ ...change, version: 1 });
  expect(await plans.beginApplying(PLAN, change)).toBeUndefined();
  expect(await plans.appliedPlans(RUN)).toEqual([applying]);
});

it('a plan that nobody applied in time is shown as expired, and one that was applied is not', () => {
  const afterwards = Date.parse(PLAN.expires_at);
  expect(hasExpired(PLAN, afterwards - 1)).toBe(false);
  expect(shownPlan(PLAN, afterwards).status).toBe('expired');
  expect(shownPlan({ ...PLAN, status: 'applied' }, afterwards).status).toBe('applied');
});

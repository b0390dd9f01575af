/** The plans of a run as evidence names them. Costs milliseconds. */
import { expect, it } from 'vitest';
import type { StoredCreator } from '../../functions/auth/creator.ts';
import { plansOfRun } from '../../functions/evidence/plans.ts';
import { createWorld } from '../kit/world.ts';
import { waitingPlan } from '../plans/plans.ts';

const APPLIED = '2026-01-03T00:00:00.000Z';
const APPROVED = { approved_at: '2026-01-02T12:00:00.000Z', approved_by: 2, comment: 'As agreed' };

async function worldWith(
  statuses: readonly ('applied' | 'cancelled' | 'applying' | 'waiting')[],
  applied_by: StoredCreator = 1,
) {
  const { stores } = createWorld();
  const run = { company_id: 'acme', run_id: 'run' };
  await stores.imports.putRun(run, { created_at: waitingPlan('a').created_at, by: 1, dry_run: true });
  for (const [at, status] of statuses.entries()) {
    const plan = waitingPlan(`a00000000000${at}`);
    await stores.plans.make(plan, [], await stores.plans.newest(run));
    const applied = { ...APPROVED, applied_by, applied_at: APPLIED, phase: 'done' } as const;
    if (status !== 'waiting') await stores.plans.beginApplying(plan, { ...applied, status });
  }
  return plansOfRun(run, stores);
}

it('each plan that was applied or cancelled is named: digest, who made, approved and applied it, and why', async () => {
  const { plans, isApplying } = await worldWith(['applied', 'cancelled', 'waiting']);
  const { plan_digest } = waitingPlan('a');
  const signed = { plan_digest, created_by: 1, ...APPROVED, applied_by: 1, applied_at: APPLIED };
  expect([plans, isApplying]).toEqual([[signed, signed], false]);
});

it('a machine that applied one has no user id', async () => {
  const { plans } = await worldWith(['applied'], 'client#nightly');
  expect(plans).toMatchObject([{ approved_by: 2, applied_by: null }]);
});

it('one that is being applied is not named yet, and evidence waits for it', async () => {
  const { plans, isApplying } = await worldWith(['cancelled', 'applying']);
  expect([plans.length, isApplying]).toEqual([1, true]);
});

it('a run without a plan names none', async () => {
  expect(await worldWith([])).toEqual({ plans: [], isApplying: false });
});

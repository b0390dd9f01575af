/** Who may begin an application, and cancel it. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { applyPlan, cancelApplication } from '../../functions/plans/apply.ts';
import type { RunPlanItem } from '../../functions/plans/plan-item.ts';
import { removeRun } from '../../functions/runs/draft.ts';
import { COMPANY_ID, RUN, importWorld, type ImportWorld } from '../imports/world.ts';
import { waitingPlan } from './plans.ts';

const PLAN_ID = 'a000000000001';
const { plan_digest } = waitingPlan(PLAN_ID);
const ASKED = { plan_digest, by: 2, approval: 'none' } as const;

async function worldWith(change: Partial<RunPlanItem> = {}) {
  const world = await importWorld();
  await world.stores.imports.putRun(RUN, { created_at: waitingPlan(PLAN_ID).created_at, by: 1, dry_run: true });
  const plan = { ...waitingPlan(PLAN_ID), ...change };
  await world.stores.plans.make(plan, [], undefined);
  return { ...world, plan };
}

const stored = async ({ stores }: ImportWorld) => stores.plans.newest(RUN);

describe('an application begins', () => {
  it.each(['waiting', 'approved'] as const)('of a plan that is %s, once, with a message', async (status) => {
    const world = await worldWith({ status });
    expect(await applyPlan(world.plan, ASKED, world.services)).toBe('begun');
    expect(await stored(world)).toMatchObject({ status: 'applying', phase: 'applying', applied_by: 2, next: 0 });
    expect(world.applicationMessages).toEqual([
      { kind: 'application', company_id: COMPANY_ID, plan_id: PLAN_ID, hops: 0 },
    ]);
    expect(await world.stores.jobs.listOpen()).toMatchObject([{ kind: 'application', plan_id: PLAN_ID }]);
    const again = await stored(world);
    expect(await applyPlan(again ?? world.plan, ASKED, world.services)).toBe('repeated');
    expect(world.applicationMessages.length).toBe(1);
  });

  it('of two people at once, one begins it', async () => {
    const world = await worldWith();
    const both = [2, 3].map((by) => applyPlan(world.plan, { ...ASKED, by }, world.services));
    expect((await Promise.all(both)).toSorted()).toEqual(['begun', 'repeated']);
    expect(world.applicationMessages.length).toBe(1);
  });

  it('and its run cannot be removed, before its first import', async () => {
    const world = await worldWith();
    await applyPlan(world.plan, ASKED, world.services);
    expect(await removeRun(RUN, world)).toBe('closed');
    expect(await stored(world)).toMatchObject({ status: 'applying' });
  });

  it('although its message cannot be sent: the watchdog sends it', async () => {
    const world = await worldWith();
    vi.spyOn(world.queue, 'send').mockRejectedValueOnce(new Error('down'));
    expect(await applyPlan(world.plan, ASKED, world.services)).toBe('begun');
    await world.watch();
    expect(world.applicationMessages.length).toBe(1);
  });
});

describe('no application begins', () => {
  it('of a plan that somebody replaced since it was looked at', async () => {
    const world = await worldWith();
    const asked = { ...ASKED, plan_digest: 'f'.repeat(64) };
    expect(await applyPlan(world.plan, asked, world.services)).toBe('differs');
  });

  it.each(['withdrawn', 'cancelled'] as const)('of a plan that is %s', async (status) => {
    const world = await worldWith({ status });
    expect(await applyPlan(world.plan, ASKED, world.services)).toBe('closed');
  });

  it('of a plan that nobody else approved, where a second person must', async () => {
    const world = await worldWith({ status: 'approved', approved_by: 1 });
    const asked = { ...ASKED, approval: 'second' } as const;
    expect(await applyPlan(world.plan, asked, world.services)).toBe('unapproved');
    const approved = await worldWith({ status: 'approved', approved_by: 2 });
    expect(await applyPlan(approved.plan, asked, approved.services)).toBe('begun');
  });

  it('of a plan whose dry runs have expired', async () => {
    const world = await worldWith();
    world.clock.now = Date.parse(world.plan.expires_at);
    expect(await applyPlan(world.plan, ASKED, world.services)).toBe('closed');
    expect((await stored(world))?.status).toBe('waiting');
  });

  it('of a plan that was replaced between its read and its write', async () => {
    const world = await worldWith();
    await world.stores.plans.make(waitingPlan('a000000000002'), [], world.plan);
    expect(await applyPlan(world.plan, ASKED, world.services)).toBe('closed');
  });
});

describe('a cancel', () => {
  it('of an application is noted once, and sent', async () => {
    const world = await worldWith();
    await applyPlan(world.plan, ASKED, world.services);
    world.applicationMessages.length = 0;
    await cancelApplication(world.plan, world.services);
    const cancelled = await stored(world);
    expect(cancelled?.cancelled_at).not.toBeNull();
    world.clock.now += 1;
    await cancelApplication(world.plan, world.services);
    expect(await stored(world)).toEqual(cancelled);
    expect(world.applicationMessages.length).toBe(1);
  });

  it('of a plan that is not being applied changes nothing', async () => {
    const world = await worldWith();
    const before = await stored(world);
    await cancelApplication(world.plan, world.services);
    expect(await stored(world)).toEqual(before);
    expect(world.applicationMessages).toEqual([]);
  });
});

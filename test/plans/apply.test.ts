/** Cancelling the application of a plan. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { cancelApplication } from '../../functions/plans/apply.ts';
import type { RunPlanItem } from '../../functions/plans/plan-item.ts';
import { RUN, importWorld, type ImportWorld } from '../imports/world.ts';
import { waitingPlan } from './plans.ts';

const PLAN_ID = 'a000000000001';

async function worldWith(change: Partial<RunPlanItem> = {}) {
  const world = await importWorld();
  await world.stores.imports.putRun(RUN, { created_at: waitingPlan(PLAN_ID).created_at, by: 1, dry_run: true });
  const plan = { ...waitingPlan(PLAN_ID), ...change };
  await world.stores.plans.make(plan, [], undefined);
  return { ...world, plan };
}

const stored = async ({ stores }: ImportWorld) => stores.plans.newest(RUN);

describe('a cancel', () => {
  it('of an application is noted once, and sent', async () => {
    const world = await worldWith();
    const now = waitingPlan(PLAN_ID).created_at;
    await world.stores.plans.beginApplying(world.plan, { status: 'applying', phase: 'applying', applied_at: now });
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

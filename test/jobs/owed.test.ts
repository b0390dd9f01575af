/** Notices of runs: each at least once, after what it tells of can be read, whatever dies. Costs a second. */
import { describe, expect, it } from 'vitest';
import type { Notices } from '../../functions/jobs/owed.ts';
import { owing } from '../../functions/jobs/owed.ts';
import { watchApplication } from '../../functions/plans/steps.ts';
import { instant } from '../../functions/records/instants.ts';
import { applyingWorld, batches } from '../plans/applying.ts';
import { waitingPlan } from '../plans/plans.ts';
import { COMPANY_ID, MINUTE, RUN, importWorld, record, type ImportWorld } from '../imports/world.ts';

const PLAN = waitingPlan('a000000000000');
const WORK = { kind: 'application', company_id: COMPANY_ID, plan_id: PLAN.plan_id } as const;

/** A plan that was just made, and notices that the test sees. `fails`: how often the bus is down. */
async function noticing(fails = 0) {
  const world = await importWorld();
  await world.stores.imports.putRun(RUN, { created_at: PLAN.created_at, by: 1, dry_run: true });
  await world.stores.plans.make(PLAN, [], undefined);
  const sent: string[] = [];
  let left = fails;
  const notices: Notices = {
    async send(type, { run_id }, of) {
      left -= 1;
      if (left >= 0) throw new Error('down');
      sent.push(`${type} ${run_id} ${of}`);
    },
  };
  const look = () => watchApplication(WORK, { ...world.services, notices });
  return { world, sent, look, plan: () => world.stores.plans.read(PLAN) };
}

const WAITING = `Plan Waiting run ${PLAN.plan_id}`;
const APPROVED = `Plan Approved run ${PLAN.plan_id}`;

describe('a plan that waits', () => {
  it('is told of once, and is no open work after that', async () => {
    const { world, sent, look, plan } = await noticing();
    const version = (await plan())?.version;
    expect(await world.stores.jobs.listOpen()).toMatchObject([WORK]);
    await look();
    await look();
    expect(sent).toEqual([WAITING]);
    expect(await world.stores.jobs.listOpen()).toEqual([]);
    expect((await plan())?.version).toBe(version);
  });

  it('is told of later where the bus is down, with the same mark', async () => {
    const { world, sent, look } = await noticing(1);
    await expect(look()).rejects.toThrow('down');
    expect(await world.stores.jobs.listOpen()).toMatchObject([WORK]);
    await look();
    expect(sent).toEqual([WAITING]);
  });

  it('that is approved before anyone was told is told of twice, in order', async () => {
    const { world, sent, look, plan } = await noticing();
    const made = await plan();
    if (made === undefined) throw new Error('There is no plan.');
    const approved = { status: 'approved', ...owing(made, 'Plan Approved', instant(world.clock.now)) } as const;
    await world.stores.plans.advance(made, approved);
    await look();
    expect(sent).toEqual([WAITING, APPROVED]);
  });

  it('that changes while it is told of is told of again: nothing that is owed is forgotten', async () => {
    const { world, sent, plan } = await noticing();
    const notices: Notices = {
      async send(type, { run_id }, of) {
        sent.push(`${type} ${run_id} ${of}`);
        const now = await plan();
        if (now !== undefined && sent.length === 1)
          await world.stores.plans.advance(now, owing(now, 'Plan Approved', instant(world.clock.now)));
      },
    };
    await watchApplication(WORK, { ...world.services, notices });
    await watchApplication(WORK, { ...world.services, notices });
    expect(sent).toEqual([WAITING, WAITING, APPROVED]);
    expect(await world.stores.jobs.listOpen()).toEqual([]);
  });

  it('whose application has begun stays open work until it has ended', async () => {
    const { world, look, plan } = await noticing();
    const made = await plan();
    if (made === undefined) throw new Error('There is no plan.');
    const applied_at = instant(world.clock.now);
    await world.stores.plans.beginApplying(made, {
      status: 'applying',
      phase: 'applying',
      applied_at,
      due_at: applied_at,
    });
    await look();
    expect(world.applicationMessages).toHaveLength(1);
    expect(await world.stores.jobs.listOpen()).toMatchObject([WORK]);
  });
});

const typesOf = ({ runEvents }: ImportWorld) => runEvents.map(({ type }) => type);

describe('a run whose plan is applied', () => {
  it('of 200 imports is told of once, when the plan and each import have ended', async () => {
    const world = await applyingWorld(batches(200));
    await world.toEnd();
    expect(typesOf(world)).toEqual([]);
    await world.watch();
    await world.watch();
    expect(world.runEvents).toMatchObject([
      {
        type: 'Run Ended',
        of: world.ids.plan_id,
        run: { status: 'success', counts: { imports: 200, succeeded: 200 } },
      },
    ]);
    expect((await world.plan()).status).toBe('applied');
  });

  it('that is cancelled is told of, too', async () => {
    const world = await applyingWorld(batches(10));
    await world.go();
    await world.stores.plans.cancel(world.ids, instant(world.clock.now));
    expect(await world.toEnd()).toBe('cancelled');
    await world.watch();
    expect(typesOf(world)).toEqual(['Run Ended']);
  });
});

describe('a run that was reverted', () => {
  const reverted = async () => {
    const world = await importWorld();
    await world.accept([record('a')], { import_id: 'one', run_id: RUN.run_id });
    await world.deliver();
    await world.revert(RUN);
    return world;
  };

  it('is told of once, with each import taken back', async () => {
    const world = await reverted();
    await world.watch();
    await world.watch();
    const revert = await world.stores.reverts.read({ kind: 'run', ...RUN });
    expect(world.runEvents).toMatchObject([{ type: 'Run Reverted', of: revert?.completed_at, run: RUN }]);
    expect((await world.read('one')).reverted_at).not.toBeNull();
    expect(await world.stores.jobs.listOpen()).toEqual([]);
  });

  it('again is told of again, as another event', async () => {
    const world = await reverted();
    await world.watch();
    world.clock.now += MINUTE;
    await world.accept([record('b')], { import_id: 'two', run_id: RUN.run_id });
    await world.deliver();
    await world.revert(RUN);
    await world.watch();
    expect(typesOf(world)).toEqual(['Run Reverted', 'Run Reverted']);
    expect(new Set(world.runEvents.map(({ of }) => of)).size).toBe(2);
  });

  it('a single import of it is no revert of the run', async () => {
    const world = await importWorld();
    await world.accept([record('a')], { import_id: 'one', run_id: RUN.run_id });
    await world.deliver();
    await world.revert('one');
    await world.watch(true);
    expect(typesOf(world)).toEqual([]);
  });
});

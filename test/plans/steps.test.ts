/** An application step by step: deaths of its driver, two drivers, cancels, the gate, quotas. Costs a second. */
import { describe, expect, it, vi } from 'vitest';
import type { Quotas } from '../../functions/auth/quotas.ts';
import { LONGEST_CHAIN } from '../../functions/jobs/queue.ts';
import { MOST_OPEN } from '../../functions/plans/steps.ts';
import { removeRun } from '../../functions/runs/draft.ts';
import { readRun } from '../../functions/runs/read.ts';
import { COMPANY_ID, HOUR, MINUTE, RUN, SECOND, importWorld, record } from '../imports/world.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import { createWorld } from '../kit/world.ts';
import { applyingWorld, batches, type ApplyingWorld } from './applying.ts';

/** More than one step. */
const BATCHES = 10;
const TURN_MS = 25 * SECOND;

/** The same stores again: a test replaces methods of those of the world. */
const storesOver = ({ clock, table }: ApplyingWorld, quotas?: Quotas) =>
  createWorld({ clock, client: memoryClient(table), ...(quotas && { quotas }) }).stores;

async function expectEachOnce(world: ApplyingWorld): Promise<void> {
  const imports = await world.imports();
  expect(imports.map(({ planned_by }) => planned_by)).toEqual(world.dryRuns);
  const times = imports.map(({ created_at }) => created_at);
  expect(times).toEqual([...new Set(times)].toSorted());
  expect((await world.stores.imports.importsOfRun(RUN)).length).toBe(world.dryRuns.length);
  for (const { status, total } of imports) expect([status, total]).toEqual(['success', 1]);
}

it('each dry run becomes one import, in their order, and the plan ends after them without a client', async () => {
  const world = await applyingWorld(batches(BATCHES));
  await world.go();
  expect(await world.plan()).toMatchObject({ status: 'applying', phase: 'ending' });
  expect(await world.toEnd()).toBe('applied');
  await expectEachOnce(world);
  await world.watch();
  expect(await world.stores.jobs.listOpen()).toEqual([]);
  const planned = await Promise.all(world.dryRuns.map((id) => world.results(id)));
  const applied = await Promise.all(world.dryRuns.map((_, place) => world.results(world.at(place))));
  expect(applied.map(([result]) => result?.outcome)).toEqual(planned.map(([result]) => result?.outcome));
});

it('the watchdog carries it to its end where every message of the driver is lost', async () => {
  const world = await applyingWorld(batches(BATCHES));
  for (let minute = 0; minute < 10 && (await world.plan()).phase !== 'done'; minute += 1) {
    world.clock.now += MINUTE;
    await world.watch();
    await world.deliver();
    if (world.applicationMessages.splice(0).length > 0) await world.go();
    world.sent.length = 0;
    world.applicationMessages.length = 0;
  }
  expect(await world.plan()).toMatchObject({ status: 'applied' });
  await expectEachOnce(world);
});

/** A world whose driver dies before this call to the table, with all calls after it. `calls`: how many it made. */
async function dying(before: number, batched: unknown[][], replace: boolean) {
  const driver = { calls: 0, isRunning: false, isDead: false };
  const world = await importWorld(() => {
    if (!driver.isRunning) return;
    driver.calls += 1;
    driver.isDead ||= driver.calls === before;
    if (driver.isDead) throw new Error('killed');
  });
  const applying = await applyingWorld(batched, { replace, world });
  const die = async () => {
    driver.isRunning = true;
    await applying.go().catch(() => undefined);
    driver.isRunning = false;
  };
  return { applying, driver, die };
}

describe('a driver that dies before any of its calls', () => {
  it.each([false, true])('each dry run is one import all the same (replaces: %s)', async (replace) => {
    const whole = await dying(Infinity, batches(BATCHES), replace);
    await whole.die();
    expect(whole.driver.calls).toBeGreaterThan(4 * BATCHES);
    for (let before = 1; before <= whole.driver.calls; before += 1) {
      const { applying, driver, die } = await dying(before, batches(BATCHES), replace);
      await die();
      expect(driver.isDead).toBe(true);
      expect(await applying.toEnd()).toBe('applied');
      await expectEachOnce(applying);
    }
  });

  it('a cancel meanwhile leaves nothing open, and nothing is accepted later', async () => {
    const whole = await dying(Infinity, batches(BATCHES), false);
    await whole.die();
    for (let before = 1; before <= whole.driver.calls; before += 1) {
      const { applying, die } = await dying(before, batches(BATCHES), false);
      await die();
      const isCancelled = await applying.stores.plans.cancel(applying.ids, '2026-01-02T03:05:00.000Z');
      expect(isCancelled).toBe(true);
      expect(await applying.toEnd()).toBe('cancelled');
      const ended = await applying.imports();
      expect(ended.filter(({ status }) => status === 'processing')).toEqual([]);
      await applying.go();
      expect((await applying.imports()).length).toBe(ended.length);
      await applying.watch();
      expect(await applying.stores.jobs.listOpen()).toEqual([]);
    }
  });
});

it('of two drivers at once one works, and the other comes after its turn', async () => {
  const world = await applyingWorld(batches(BATCHES));
  await Promise.all([world.go(), world.go(), world.go()]);
  expect(await world.toEnd()).toBe('applied');
  await expectEachOnce(world);
});

it('while a driver has its turn, another takes no step', async () => {
  const world = await applyingWorld(batches(BATCHES));
  const stored = await world.plan();
  const until = new Date(world.clock.now + TURN_MS).toISOString();
  await world.stores.plans.advance(stored, { until });
  await world.go();
  expect(await world.imports()).toEqual([]);
  expect(world.applicationMessages).toMatchObject([{ delaySeconds: TURN_MS / SECOND, hops: 1 }]);
});

it('a cancel between two writes of a driver: it accepts nothing more, sends nothing, and what it accepted is cancelled, too', async () => {
  const world = await applyingWorld(batches(BATCHES));
  cancelAtCommit(world, 3);
  await world.go();
  expect(await world.plan()).toMatchObject({ phase: 'applying', next: 0 });
  expect([(await world.imports()).length, world.sent]).toEqual([3, []]);
  expect(world.applicationMessages).toMatchObject([{ hops: 0 }]);
  await world.go(LONGEST_CHAIN);
  expect((await world.imports()).map(({ cancelled_at }) => cancelled_at !== null)).toEqual(Array(3).fill(true));
  expect(await world.toEnd()).toBe('cancelled');
});

/** Cancels the plan while its driver accepts the nth import. */
function cancelAtCommit(world: ApplyingWorld, nth: number): void {
  let commits = 0;
  const { imports } = storesOver(world);
  vi.spyOn(world.stores.imports, 'commit').mockImplementation(async (item) => {
    commits += 1;
    if (commits === nth) await world.stores.plans.cancel(world.ids, '2026-01-02T03:05:00.000Z');
    return imports.commit(item);
  });
}

it('a cancel while dry runs are copied: none of them is accepted', async () => {
  const world = await applyingWorld(batches(BATCHES));
  const { imports } = storesOver(world);
  vi.spyOn(world.stores.imports, 'stage').mockImplementation(async (...staged) => {
    await world.stores.plans.cancel(world.ids, '2026-01-02T03:05:00.000Z');
    return imports.stage(...staged);
  });
  await world.go();
  expect(await world.imports()).toEqual([]);
  expect(await removeRun(RUN, world)).toBe('closed');
  expect(await world.toEnd()).toBe('cancelled');
  expect(await removeRun(RUN, world)).toBe('removed');
});

it('what was accepted behind the stored place is cancelled at once, although an import before it has to wait', async () => {
  const world = await applyingWorld(batches(110));
  cancelAtCommit(world, 107);
  await world.go();
  expect([(await world.plan()).next, (await world.imports()).length]).toEqual([104, 107]);
  await startedAt(world, 0);
  world.sent.length = 0;
  world.clock.now += TURN_MS;
  await world.go();
  const open = (await world.imports()).filter(({ status }) => status === 'processing');
  expect(open.map(({ import_id }) => import_id)).toEqual([world.at(0)]);
  expect(await world.toEnd()).toBe('cancelled');
});

it('an import that is open long before the stored place is cancelled, too, before the plan is', async () => {
  const world = await applyingWorld(batches(MOST_OPEN + 20));
  await world.go();
  world.sent.splice(0, 1);
  await world.deliver();
  world.clock.now += TURN_MS;
  world.applicationMessages.length = 0;
  await world.go();
  expect([(await world.plan()).phase, (await world.imports()).length]).toEqual(['ending', MOST_OPEN + 20]);
  await world.stores.plans.cancel(world.ids, '2026-01-02T03:05:00.000Z');
  world.sent.length = 0;
  world.clock.now += TURN_MS;
  await world.go();
  expect((await world.read(world.at(0))).cancelled_at).not.toBeNull();
  expect(await world.plan()).toMatchObject({ status: 'cancelled' });
});

/** A chunk of the import at this place has begun: a cancel does not end it. */
async function startedAt(world: ApplyingWorld, place: number): Promise<void> {
  const [plan] = await world.stores.imports.readPlans(await world.read(world.dryRuns[place]), [0]);
  if (plan !== undefined) await world.stores.imports.putPlan(await world.read(world.at(place)), 0, plan);
}

it('a plan that is cancelled goes on with a new plan of the same dry runs', async () => {
  const world = await applyingWorld(batches(BATCHES));
  await world.go();
  await world.deliver();
  await world.stores.plans.cancel(world.ids, '2026-01-02T03:05:00.000Z');
  expect(await world.toEnd()).toBe('cancelled');
  const again = await applyingWorld(batches(BATCHES), { world: world.its });
  expect(await again.toEnd()).toBe('applied');
  expect(await again.its.outcomes(again.at(0))).toEqual(['unchanged']);
});

it.each(['import#other', 'erasure#other'])(
  'the application waits while %s holds the gate, also where chunks may pass',
  async (by) => {
    const world = await applyingWorld(batches(2));
    await world.stores.jobs.takeGate(COMPANY_ID, by);
    await world.stores.jobs.admitChunks(COMPANY_ID, by);
    await world.go();
    expect(await world.imports()).toEqual([]);
    expect((await world.plan()).until).toBeUndefined();
    await world.stores.jobs.passGate(COMPANY_ID, by, false);
    expect(await world.toEnd()).toBe('applied');
  },
);

it('waits for the next hour where the quota of imports is used up, and the watchdog does not send it before', async () => {
  const world = await applyingWorld(batches(BATCHES));
  // The dry runs counted towards the hour before.
  world.clock.now += HOUR;
  const spend = vi.spyOn(world.stores.quotas, 'spend');
  const limits = { imports: 8, upload_bytes: 1, download_bytes: 1 };
  const { quotas } = storesOver(world, limits);
  spend.mockImplementation((...use) => quotas.spend(...use));
  await world.go();
  expect((await world.imports()).length).toBe(8);
  const { due_at = '' } = await world.plan();
  expect(Date.parse(due_at) % HOUR).toBeLessThan(SECOND);
  world.applicationMessages.length = 0;
  world.clock.now += MINUTE;
  await world.watch();
  expect(world.applicationMessages).toEqual([]);
  world.clock.now = Date.parse(due_at);
  expect(await world.toEnd()).toBe('applied');
});

it('imports that come after the run has rested for a while are counted', async () => {
  const world = await applyingWorld(batches(BATCHES));
  const seen = async () => (await readRun(RUN, world.services))?.counts.imports;
  world.clock.now += HOUR;
  const { quotas } = storesOver(world, { imports: 8, upload_bytes: 1, download_bytes: 1 });
  vi.spyOn(world.stores.quotas, 'spend').mockImplementation((...use) => quotas.spend(...use));
  await world.go();
  await world.deliver();
  const keep = vi.spyOn(world.stores.imports, 'keepParts');
  world.clock.now += 10 * MINUTE;
  for (const _ of [1, 2]) expect(await seen()).toBe(8);
  expect(keep).toHaveBeenCalledOnce();
  world.clock.now += HOUR;
  expect(await world.toEnd()).toBe('applied');
  expect(await seen()).toBe(BATCHES);
});

it('so many imports are open at once, and a wait follows', async () => {
  const world = await applyingWorld(batches(MOST_OPEN + 3));
  await world.go();
  expect((await world.imports()).length).toBe(MOST_OPEN);
  expect(world.applicationMessages).toMatchObject([{ delaySeconds: 1, hops: 1 }]);
  const { due_at, applied_at } = await world.plan();
  expect(due_at).toBe(applied_at);
  await world.deliver();
  expect(await world.toEnd()).toBe('applied');
  expect((await world.imports()).length).toBe(MOST_OPEN + 3);
});

it('an import that is stuck stops no other, and the plan ends after it', async () => {
  const world = await applyingWorld(batches(MOST_OPEN + 20));
  await world.go();
  world.sent.splice(0, 1);
  await world.deliver();
  vi.spyOn(world.queue, 'send').mockImplementation(async (messages) => {
    for (const message of messages)
      if (message.kind === 'application') world.applicationMessages.push(message);
      else if (message.kind === 'chunk' && message.import_id !== world.at(0)) world.sent.push(message);
  });
  expect(await world.toEnd(10)).toBe('applying');
  expect((await world.imports()).filter(({ status }) => status === 'processing').length).toBe(1);
  expect((await world.imports()).length).toBe(MOST_OPEN + 20);
  vi.restoreAllMocks();
  expect(await world.toEnd()).toBe('applied');
});

it('if a report is gone, what follows is not applied, and the plan is cancelled', async () => {
  const world = await applyingWorld(batches(3));
  const gone = await world.read(world.dryRuns[1]);
  await world.stores.imports.dropReport(gone, gone.attempt_id, 1);
  await world.go();
  expect(await world.toEnd()).toBe('cancelled');
  expect((await world.imports()).length).toBe(1);
  expect(await removeRun(RUN, world)).toBe('closed');
});

it('an erased report is copied again, although a driver that died had copied it before', async () => {
  const batched = [[record('r0')]];
  const world = await applyingWorld(batched);
  vi.spyOn(world.stores.imports, 'commit').mockRejectedValueOnce(new Error('killed'));
  await expect(world.go()).rejects.toThrow('killed');
  const dryRun = await world.read(world.dryRuns[0]);
  const [plan] = await world.stores.imports.readPlans(dryRun, [0]);
  const blank = {
    records: [null],
    planned: plan?.planned.map(({ result }) => ({ result: { ...result, erased: true } })),
  };
  await world.stores.erasures.replaceChunk(dryRun, 0, {
    plan: blank as never,
    payload: undefined,
    nameless: undefined,
    summary: undefined,
  });
  world.clock.now += TURN_MS;
  expect(await world.toEnd()).toBe('applied');
  expect(await world.its.outcomes(world.at(0))).toEqual(['user_not_found']);
});

it('its imports grow in created_at although the clock of the next driver is behind', async () => {
  const world = await applyingWorld(batches(BATCHES));
  const { plans } = storesOver(world);
  const list = vi.spyOn(world.stores.plans, 'listedFrom');
  list.mockImplementationOnce((...args) => plans.listedFrom(...args));
  list.mockRejectedValueOnce(new Error('killed'));
  await expect(world.go()).rejects.toThrow('killed');
  await world.stores.plans.advance(await world.plan(), { until: undefined });
  world.clock.now -= MINUTE;
  await world.go();
  expect(await world.toEnd()).toBe('applied');
  await expectEachOnce(world);
});

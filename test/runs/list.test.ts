/** The runs of a company, narrowed: each request reads a bounded number of them. Costs a second. */
import { expect, it } from 'vitest';
import { listRuns } from '../../functions/runs/list.ts';
import { runKey, runPlanKey } from '../../functions/dynamodb/table.ts';
import { IMPORTED, newRun } from '../../functions/imports/import-lists.ts';
import { instant } from '../../functions/records/instants.ts';
import type { RunStatus } from '../../functions/shared/codes.ts';
import { planItemOf } from '../../functions/plans/plan-item.ts';
import { importItem } from '../dynamodb/samples.ts';
import { createWorld } from '../kit/world.ts';
import { waitingPlan } from '../plans/plans.ts';

const COMPANY_ID = 'acme';

/** Each tenth run has a shape, each hundredth was imported. */
async function worldWith(runs: number) {
  const read: number[] = [];
  const world = createWorld({
    observe: (command) => {
      const { input } = command as { input: object };
      const { RequestItems } = input as { RequestItems?: Record<string, { Keys?: unknown[] }> };
      if (RequestItems) read.push(...Object.values(RequestItems).map(({ Keys = [] }) => Keys.length));
      else read.push(1);
    },
  });
  for (let at = 0; at < runs; at += 1) {
    const ids = { company_id: COMPANY_ID, run_id: `run-${at}` };
    const item = newRun(ids, { created_at: instant(world.clock.now + at), by: 1 });
    const more = { ...(at % 10 === 0 && { shape: 'moodle' }), ...(at % 100 === 0 && { [IMPORTED]: true }) };
    world.table.write(runKey(ids), { ...item, ...more });
  }
  return { ...world, read };
}

type Filter = { readonly status?: RunStatus; readonly shape?: string };

async function walk(world: Awaited<ReturnType<typeof worldWith>>, filter: Filter) {
  const requests: { found: number; read: number }[] = [];
  let after: Parameters<typeof listRuns>[1]['after'];
  const ids: string[] = [];
  do {
    world.read.length = 0;
    const { items, searchedTo } = await listRuns(COMPANY_ID, { ...filter, limit: 21, after }, world.services);
    ids.push(...items.map(({ run_id }) => run_id));
    requests.push({ found: items.length, read: world.read.reduce((sum, keys) => sum + keys, 0) });
    after = searchedTo;
  } while (after !== undefined);
  return { ids, requests };
}

it('a search over 10,000 runs reads a bounded number of items a request, and finds each', async () => {
  const world = await worldWith(10_000);
  const { ids, requests } = await walk(world, { status: 'draft', shape: 'moodle' });
  expect([ids.length, new Set(ids).size, ids[0]]).toEqual([900, 900, 'run-9990']);
  expect(requests).toHaveLength(26);
  expect(Math.max(...requests.map(({ read }) => read))).toBeLessThan(500);
});

it('a status that follows from imports is counted for a bounded number of runs a request', async () => {
  const world = await worldWith(0);
  for (let at = 0; at < 250; at += 1) {
    const ids = { company_id: COMPANY_ID, run_id: `run-${at}` };
    await world.stores.imports.putRun(ids, {
      created_at: instant(world.clock.now + at),
      by: 1,
      dry_run: false,
    });
  }
  const { ids, requests } = await walk(world, { status: 'success' });
  expect([ids, requests.length]).toEqual([[], 3]);
});

it.each([
  ['cancelled', ['run-0']],
  ['waiting', ['run-0']],
  ['applied', []],
] as const)('a run without an import whose plan is %s', async (status, drafts) => {
  const world = await worldWith(1);
  const plan_id = 'a000000000001';
  world.table.write(runPlanKey({ company_id: COMPANY_ID, plan_id }), planItemOf({ ...waitingPlan(plan_id), status }));
  const key = runKey({ company_id: COMPANY_ID, run_id: 'run-0' });
  world.table.write(key, { ...world.table.read(key), plan_id, version: 1 });
  expect((await walk(world, { status: 'draft' })).ids).toEqual(drafts);
});

it('without a filter, a page reads as many runs as it shows', async () => {
  const world = await worldWith(50);
  const { ids, requests } = await walk(world, {});
  expect(ids).toHaveLength(50);
  expect(requests[0]?.found).toBe(21);
});

/** Twenty runs of one import each, read some minutes later; and the calls of a page of them. */
async function twentyRuns(ofEarlierRelease = false) {
  const calls: string[] = [];
  const world = createWorld({ observe: (command) => calls.push(command.constructor.name) });
  const created_at = instant(world.clock.now);
  const ended = { status: 'success', total: 1, completed_at: created_at, summaries: { 0: ONE } } as const;
  for (let at = 0; at < 20; at += 1) {
    const ids = { company_id: COMPANY_ID, run_id: `run-${at}` };
    if (ofEarlierRelease) world.table.write(runKey(ids), { ...newRun(ids, { created_at, by: 1 }), [IMPORTED]: true });
    else await world.stores.imports.putRun(ids, { created_at, by: 1, dry_run: false });
    await world.stores.imports.commit(importItem(COMPANY_ID, { ...ids, import_id: `${at}`, created_at, ...ended }));
  }
  world.clock.now += 10 * 60_000;
  const list = async () => {
    calls.length = 0;
    const { items } = await listRuns(COMPANY_ID, { limit: 20 }, world.services);
    const countOf = (name: string) => calls.filter((each) => each === name).length;
    const reads = [countOf('GetCommand'), countOf('BatchGetCommand'), countOf('QueryCommand')];
    return { statuses: new Set(items.map(({ status }) => status)), reads, kept: countOf('UpdateCommand') };
  };
  return { ...world, list };
}
const ONE = { succeeded: 1, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };

it('a page of 20 runs that rest takes three calls, after the first reader has kept their counts', async () => {
  const { list, stores, clock } = await twentyRuns();
  const statuses = new Set(['success']);
  expect(await list()).toEqual({ statuses, reads: [0, 2, 21], kept: 20 });
  expect(await list()).toEqual({ statuses, reads: [0, 2, 1], kept: 0 });
  const run = { company_id: COMPANY_ID, run_id: 'run-7' };
  await stores.imports.putRun(run, { created_at: instant(clock.now), by: 1, dry_run: false });
  expect(await list()).toEqual({ statuses, reads: [0, 2, 2], kept: 0 });
});

it('runs of an earlier release are read by their imports, whose acceptance they do not note', async () => {
  const { list } = await twentyRuns(true);
  const statuses = new Set(['success']);
  for (const _ of [1, 2]) expect(await list()).toEqual({ statuses, reads: [0, 2, 21], kept: 0 });
});

/** A migration seen and cancelled as a whole. Costs milliseconds. */
import { expect, it } from 'vitest';
import { cancelRun, readRun } from '../../functions/imports/runs.ts';
import { instant } from '../../functions/records/instants.ts';
import { importItem } from '../dynamodb/samples.ts';
import { createWorld } from '../kit/world.ts';
import { COMPANY_ID, RECORDS, importWorld, record } from './world.ts';

const IDS = ['a', 'b', 'c'].map((letter) => letter.repeat(26));

async function runWorld() {
  const world = await importWorld();
  const start = (position: number, records: readonly unknown[], dry_run = false) =>
    world.accept(records, { import_id: IDS[position] ?? '', run_id: 'lms', dry_run });
  const run = async () => readRun(COMPANY_ID, 'lms', world.services);
  return { ...world, start, run };
}

it('a run is the fold of its real imports', async () => {
  const world = await runWorld();
  const { start, run, clock } = world;
  expect(await run()).toBeUndefined();
  await start(0, RECORDS, true);
  expect(await run()).toBeUndefined();
  const created_at = instant(clock.now);
  await start(1, RECORDS);
  clock.now += 1_000;
  await start(2, [record('d', 'nobody@acme.test')]);
  const counts = { imports: 2, total: 4, processed: 0, succeeded: 0, failed: 0, with_warnings: 0 };
  const common = { run_id: 'lms', company_id: COMPANY_ID, created_at };
  expect(await run()).toEqual({ ...common, status: 'processing', counts, completed_at: null });
  clock.now += 1_000;
  await world.deliver();
  expect(await run()).toEqual({
    ...common,
    status: 'partial_success',
    counts: { ...counts, processed: 4, succeeded: 3, failed: 1 },
    completed_at: instant(clock.now),
  });
});

it('cancelling a run ends each of its open imports, and no other', async () => {
  const world = await runWorld();
  const { start, run, read, services, sent } = world;
  await start(0, RECORDS);
  await world.deliver();
  await start(1, [record('d')]);
  await world.accept([record('e')], { import_id: IDS[2] ?? '' });
  expect(await cancelRun(COMPANY_ID, 'lms', services)).toMatchObject({ status: 'processing' });
  expect(await run()).toMatchObject({ status: 'partial_success', counts: { succeeded: 3, failed: 1 } });
  expect((await read(IDS[0])).cancelled_at).toBeNull();
  expect(await read(IDS[2])).toMatchObject({ status: 'processing', cancelled_at: null });
  expect(sent).not.toEqual([]);
  expect(await cancelRun(COMPANY_ID, 'other', services)).toBeUndefined();
});

it('the status and counts of a run of 2,000 imports take at most four calls', async () => {
  const calls: object[] = [];
  const { services, stores } = createWorld({ observe: (command) => calls.push(command) });
  const chunk = { succeeded: 499, failed: 1, with_warnings: 7, conflict: [], failed_indexes: [] };
  for (let at = 0; at < 2_000; at += 1) {
    const import_id = String(at).padStart(26, '0');
    const run_id = '😀'.repeat(128);
    const ended = { status: 'partial_success', total: 500, completed_at: instant(0), summaries: { 0: chunk } } as const;
    await stores.imports.commit(importItem(COMPANY_ID, { import_id, run_id, ...ended }));
  }
  calls.length = 0;
  const counts = {
    imports: 2_000,
    total: 1e6,
    processed: 1e6,
    succeeded: 998_000,
    failed: 2_000,
    with_warnings: 14_000,
  };
  const run = await readRun(COMPANY_ID, '😀'.repeat(128), services);
  expect(run).toMatchObject({ status: 'partial_success', counts });
  expect(calls.length).toBeLessThanOrEqual(4);
});

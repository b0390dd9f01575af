/** A migration seen and cancelled as a whole. Costs milliseconds. */
import { expect, it } from 'vitest';
import { cancelRun, readRun } from '../../functions/imports/runs.ts';
import { instant } from '../../functions/records/instants.ts';
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

/** A cancelled import: before, while and after its chunks are done. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { cancelImport, markCancelled } from '../../functions/imports/cancel.ts';
import { FIRST_DUE_MS } from '../../functions/imports/lifecycle.ts';
import { processChunk } from '../../functions/imports/process.ts';
import { instant } from '../../functions/records/instants.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { COMPANY_ID, IMPORT_ID, RECORDS, record, useImportWorld } from './world.ts';

const IDS = { company_id: COMPANY_ID, import_id: IMPORT_ID };
const CANCELLED = 'import_cancelled';
const world = useImportWorld(async () => {
  limitChunks(1);
});

/** Delivers the messages; the first invocation dies when it has written all but its summary. */
async function deliverUntilSummary(): Promise<void> {
  const setSummary = vi.spyOn(world.stores.imports, 'setSummary').mockRejectedValueOnce(new Error('died'));
  await expect(world.deliver()).rejects.toThrow('died');
  setSummary.mockRestore();
}

it('an import whose chunks have not started ends at once, and writes nothing', async () => {
  await world.accept(RECORDS);
  const item = await cancelImport(IDS, world.services);
  expect(item).toMatchObject({ status: 'error', cancelled_at: instant(world.clock.now) });
  expect(await world.outcomes()).toEqual([CANCELLED, CANCELLED, CANCELLED]);
  await world.deliver();
  expect(await world.progressOf()).toBeUndefined();
  expect(await world.outcomes()).toEqual([CANCELLED, CANCELLED, CANCELLED]);
});

it('records that were applied stay applied, and the rest is rejected', async () => {
  await world.accept(RECORDS);
  const [, ...later] = world.sent.splice(1);
  await world.deliver();
  world.sent.push(...later);
  expect(await cancelImport(IDS, world.services)).toMatchObject({ status: 'partial_success' });
  expect(await world.outcomes()).toEqual(['applied', CANCELLED, CANCELLED]);
});

it('a chunk that has started is carried out whole, and ends the import', async () => {
  await world.accept(RECORDS);
  await deliverUntilSummary();
  world.sent.length = 0;
  expect(await cancelImport(IDS, world.services)).toMatchObject({ status: 'processing' });
  expect(world.sent.map(({ chunk }) => chunk)).toEqual([0]);
  await world.deliver();
  expect(await world.outcomes()).toEqual(['applied', CANCELLED, CANCELLED]);
  expect(await world.read()).toMatchObject({ status: 'partial_success' });
});

it('a cancel that no record was left for leaves cancelled_at null', async () => {
  await world.accept([{}, RECORDS[0]]);
  const last = world.sent.splice(1);
  await world.deliver();
  world.sent.push(...last);
  await deliverUntilSummary();
  expect(await cancelImport(IDS, world.services)).toMatchObject({
    status: 'processing',
    cancelled_at: expect.any(String),
  });
  await world.deliver();
  expect(await world.outcomes()).toEqual(['invalid_record', 'applied']);
  expect(await world.read()).toMatchObject({ status: 'partial_success', cancelled_at: null });
});

it('an import that waits behind a revert ends at once', async () => {
  const { jobs } = world.stores;
  await jobs.takeGate(COMPANY_ID, 'import#other');
  await world.accept(RECORDS);
  expect(await world.deliver()).toEqual(Array(RECORDS.length).fill({ outcome: 'postponed' }));
  expect(await cancelImport(IDS, world.services)).toMatchObject({ status: 'error' });
  expect(await world.outcomes()).toEqual([CANCELLED, CANCELLED, CANCELLED]);
  expect((await jobs.readGate(COMPANY_ID)).by).toBe('import#other');
});

it('a cancelled chunk behind the gate leaves a plan alone that another delivery put meanwhile', async () => {
  await world.accept([record('a')]);
  const imports = { ...world.stores.imports };
  // The slow delivery reads an open gate. The import is cancelled as it puts its plan; the other sees a closed gate.
  const put = vi.spyOn(world.stores.imports, 'putPlan').mockImplementationOnce(async (item, chunk, plan) => {
    put.mockImplementationOnce(async (...rejecting) => {
      await imports.putPlan(item, chunk, plan);
      return imports.putPlan(...rejecting);
    });
    await world.stores.jobs.takeGate(COMPANY_ID, 'import#other');
    await markCancelled(IDS, world.services);
    expect(await world.deliver()).toEqual([{ outcome: 'postponed' }]);
    throw new Error('killed');
  });
  await expect(Promise.all(world.sent.slice().map((message) => processChunk(message, world.services)))).rejects.toThrow(
    'killed',
  );
  expect(put).toHaveBeenCalledTimes(2);
  expect(await world.progressOf()).toBeUndefined();
});

it('a message that arrives between the mark and the end does not start its chunk', async () => {
  await world.accept(RECORDS);
  const imports = { ...world.stores.imports };
  vi.spyOn(world.stores.imports, 'cancel').mockImplementationOnce(async (...args) => {
    const marked = await imports.cancel(...args);
    await world.deliver();
    return marked;
  });
  await cancelImport(IDS, world.services);
  expect(await world.outcomes()).toEqual([CANCELLED, CANCELLED, CANCELLED]);
});

describe('a repeated cancel', () => {
  it('a repeated cancel changes nothing, also if two run at once', async () => {
    await world.accept(RECORDS);
    const ends = await Promise.all([cancelImport(IDS, world.services), cancelImport(IDS, world.services)]);
    world.clock.now += 1_000;
    const again = await cancelImport(IDS, world.services);
    expect(again).toEqual(await world.read());
    expect(ends.map(({ cancelled_at }) => cancelled_at)).toEqual([again.cancelled_at, again.cancelled_at]);
    expect(again.status).toBe('error');
  });

  it('the key of a cancelled import replays that import', async () => {
    await world.accept(RECORDS);
    const existing = await cancelImport(IDS, world.services);
    expect(await world.accept(RECORDS, { existing })).toEqual({ kind: 'replayed', item: existing });
  });
});

it('the watchdog ends a cancelled import whose messages are lost', async () => {
  await world.accept(RECORDS);
  await world.stores.imports.cancel(IDS, instant(world.clock.now), instant(world.clock.now));
  world.sent.length = 0;
  expect(await world.watch()).toEqual(['resent']);
  await world.deliver();
  expect(await world.outcomes()).toEqual([CANCELLED, CANCELLED, CANCELLED]);
});

it('a cancelled import is due 50 seconds later, should the cancellation die', async () => {
  await world.accept(RECORDS);
  world.clock.now += 40_000;
  await markCancelled(await world.read(), world.services);
  expect((await world.read()).due_at).toBe(instant(world.clock.now + FIRST_DUE_MS));
});

/** The watchdog ends every import: it sends chunks again on a ladder, and abandons after a day. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { instant } from '../../functions/records/instants.ts';
import { importItem } from '../dynamodb/samples.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { START_MS } from '../kit/world.ts';
import { COMPANY_ID, HOUR, MINUTE, RECORDS, SECOND, record, useImportWorld } from './world.ts';

const world = useImportWorld();

/** Lets the time pass, with a run of the watchdog every minute. Returns its outcomes, with their times. */
async function pass(ms: number): Promise<[minutes: number, action: string][]> {
  const seen: [number, string][] = [];
  for (const end = world.clock.now + ms; world.clock.now < end;) {
    world.clock.now += MINUTE;
    for (const action of await world.watch()) seen.push([(world.clock.now - START_MS) / MINUTE, action]);
  }
  return seen;
}

const dueInMinutes = async () => (Date.parse((await world.read()).due_at ?? '') - world.clock.now) / MINUTE;

describe('chunks that no processor receives', () => {
  it('unprocessed chunks are left alone before they are due, 50 seconds after acceptance', async () => {
    await world.accept(RECORDS);
    world.clock.now += 49 * SECOND;
    expect(await world.watch()).toEqual([]);
  });

  it('unprocessed chunks are sent again after a minute, and are then due in 4, 16 and 64 minutes and every 4 hours', async () => {
    await world.accept(RECORDS);
    world.clock.now += MINUTE;
    for (const minutes of [4, 16, 64, 240, 240]) {
      world.sent.splice(0);
      expect(await world.watch()).toEqual(['resent']);
      expect(world.sent).toHaveLength(1);
      expect(await dueInMinutes()).toBe(minutes);
      world.clock.now += minutes * MINUTE;
    }
  });

  it('chunks are sent again without those that are done', async () => {
    limitChunks(1);
    await world.accept(RECORDS);
    const [, second] = world.sent.splice(0);
    world.sent.push(...(second === undefined ? [] : [second]));
    await world.deliver();
    world.clock.now += 2 * MINUTE;
    await world.watch();
    expect(world.sent.map(({ chunk }) => chunk)).toEqual([0, 2]);
  });
});

describe('an import without progress for a day', () => {
  it('the import is announced as abandoned and ends a minute later; its records may be sent again', async () => {
    await world.accept(RECORDS);
    const seen = await pass(29 * HOUR);
    expect(seen.map(([, action]) => action)).toEqual([...seen.slice(2).map(() => 'resent'), 'abandoning', 'abandoned']);
    const [announced, ended] = seen.slice(-2).map(([minutes]) => minutes);
    expect(announced).toBeGreaterThanOrEqual(24 * 60);
    expect(ended).toBe((announced ?? 0) + 1);
    const summary = { succeeded: 0, failed: 3, with_warnings: 0, conflict: [], failed_indexes: [] };
    expect(await world.read()).toMatchObject({ status: 'error', summaries: { 0: summary } });
    expect((await world.results()).map((each) => each.external_record_id)).toEqual(['a', 'b', 'c']);
    expect(await world.outcomes()).toEqual(['processing_failed', 'processing_failed', 'processing_failed']);

    expect(new Set((await world.deliver()).map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
    await world.accept(RECORDS, { import_id: 'again' });
    await world.deliver();
    expect(await world.outcomes('again')).toEqual(['applied', 'applied', 'applied']);
  });

  it('an abandoned import keeps the records that were written, and those that its plan rejects', async () => {
    await world.accept([record('a'), record('b', 'nobody@acme.test')]);
    vi.spyOn(world.stores.imports, 'setSummary').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    await pass(29 * HOUR);
    expect(await world.read()).toMatchObject({ status: 'partial_success' });
    expect(await world.outcomes()).toEqual(['applied', 'user_not_found']);
  });

  it('an abandoned import has archived what its results say', async () => {
    await world.accept([record('b', 'nobody@acme.test')], { archive: true });
    vi.spyOn(world.stores.archive, 'putArchived').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    await pass(29 * HOUR);
    expect(await world.read()).toMatchObject({ status: 'error', summaries: { 0: { archived: 1 } } });
    expect(await world.archived()).toEqual([[0, 'nobody@acme.test']]);
  });

  it('the import is not abandoned within the grace period, even by a restart', async () => {
    await world.accept(RECORDS);
    const closing = await world.stores.imports.startClosing(
      await world.read(),
      instant(world.clock.now),
      instant(world.clock.now + MINUTE),
    );
    world.clock.now += MINUTE - 1;
    expect(await world.watch(true)).toEqual(['none']);
    expect(await world.read()).toEqual(closing);
    world.clock.now += 1;
    expect(await world.watch(true)).toEqual(['abandoned']);
  });

  it('an abandoned import fails the records that were planned and never written, whatever else their item holds', async () => {
    await world.accept([record('x', 'cid@acme.test'), record('y')], { import_id: 'earlier' });
    await world.deliver();
    await world.accept([record('a'), record('b'), record('c', 'ben@acme.test'), record('d', 'nobody@acme.test')]);
    const { contribute } = world.stores.progress;
    vi.spyOn(world.stores.progress, 'contribute').mockImplementationOnce(async (company_id, writes) => {
      await contribute(company_id, writes.slice(0, 1));
      throw new Error('killed');
    });
    await expect(world.deliver()).rejects.toThrow('killed');
    const putPlan = vi.spyOn(world.stores.imports, 'putPlan');
    await pass(29 * HOUR);
    expect(await world.outcomes()).toEqual(['applied', 'processing_failed', 'processing_failed', 'user_not_found']);
    const summary = { succeeded: 1, failed: 3, with_warnings: 0, conflict: [], failed_indexes: [1, 2] };
    expect((await world.read()).summaries).toEqual({ 0: summary });
    expect(putPlan).not.toHaveBeenCalled();
  });

  it('the import is due again when the grace period is over', async () => {
    const [now, dayAgo] = [instant(START_MS), instant(START_MS - 24 * HOUR)];
    await world.stores.imports.commit(importItem(COMPANY_ID, { created_at: dayAgo, resends: 4, due_at: now }));
    expect(await world.watch()).toEqual(['abandoning']);
    expect(await world.read()).toMatchObject({ closing_at: now, due_at: instant(START_MS + MINUTE) });
  });

  it('an abandoned import has a result for each record, even if its payload has expired', async () => {
    limitChunks(2);
    await world.accept(RECORDS);
    vi.spyOn(world.stores.imports, 'readPayloads').mockResolvedValue([undefined]);
    await pass(29 * HOUR);
    const shown = (await world.results()).map(({ index, external_record_id }) => [index, external_record_id]);
    expect(shown).toEqual([0, 1, 2].map((index) => [index, null]));
    expect(await world.outcomes()).toEqual(['processing_failed', 'processing_failed', 'processing_failed']);
  });

  it.each([false, true])(
    'the import is not abandoned by the first run after an outage of two days (restart: %s)',
    async (restart) => {
      await world.accept(RECORDS);
      world.sent.splice(0);
      world.clock.now += 48 * HOUR;
      expect(await world.watch(restart)).toEqual(['resent']);
      await world.deliver();
      expect(await world.read()).toMatchObject({ status: 'success' });
    },
  );
});

describe('the watchdog', () => {
  it('the watchdog ends an import whose chunks are all done', async () => {
    await world.accept(RECORDS);
    vi.spyOn(world.stores.imports, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    world.clock.now += MINUTE;
    expect(await world.watch()).toEqual(['settled']);
    expect(await world.read()).toMatchObject({ status: 'success' });
  });

  it('the watchdog handles the other imports if one fails', async () => {
    await world.accept(RECORDS, { import_id: 'first' });
    await world.accept(RECORDS, { import_id: 'second' });
    world.clock.now += MINUTE;
    vi.spyOn(world.queue, 'send').mockRejectedValueOnce(new Error('down'));
    expect(await world.watch()).toEqual(['resent']);
    expect(world.telemetry.lines).toMatchObject([
      {
        level: 'error',
        message: 'An import could not be watched. The next run tries again.',
        fields: { import_id: 'first' },
      },
    ]);
  });

  it('the watchdog does nothing about an import that has ended since it was listed, or cannot be read', async () => {
    await world.accept(RECORDS);
    const ended = { ...(await world.read()), status: 'success' as const };
    vi.spyOn(world.stores.imports, 'read').mockResolvedValueOnce(ended).mockResolvedValueOnce(undefined);
    world.sent.splice(0);
    world.clock.now += MINUTE;
    expect([await world.watch(), await world.watch()]).toEqual([['none'], []]);
    expect([world.sent, world.telemetry.lines]).toEqual([[], []]);
  });
});

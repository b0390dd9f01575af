/** How the watchdog sees to it that every import ends: resends on a ladder, and abandons after a day. Costs milliseconds. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { instant } from '../../functions/records/instants.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { START_MS } from '../kit/world.ts';
import { HOUR, MINUTE, RECORDS, SECOND, importWorld, record } from './world.ts';
import type { ImportWorld } from './world.ts';

let world: ImportWorld;
beforeEach(async () => {
  world = await importWorld();
});
afterEach(() => limitChunks());

/** Lets the time pass, with a run of the watchdog every minute. Returns what it did, and when. */
async function pass(ms: number): Promise<[minutes: number, action: string][]> {
  const seen: [number, string][] = [];
  for (const end = world.clock.now + ms; world.clock.now < end;) {
    world.clock.now += MINUTE;
    for (const action of await world.watch()) seen.push([(world.clock.now - START_MS) / MINUTE, action]);
  }
  return seen;
}

const dueInMinutes = async () => (Date.parse((await world.read()).due_at ?? '') - world.clock.now) / MINUTE;

describe('chunks that nobody processes', () => {
  it('are left alone before they are due, 50 seconds after acceptance', async () => {
    await world.accept(RECORDS);
    world.clock.now += 49 * SECOND;
    expect(await world.watch()).toEqual([]);
  });

  it('are sent again after a minute, and are then due in 4, 16 and 64 minutes and every 4 hours', async () => {
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

  it('are sent again without those that are done', async () => {
    limitChunks(1);
    await world.accept(RECORDS);
    const [, second] = world.sent.splice(0);
    world.sent.push(...(second === undefined ? [] : [second]));
    await world.deliver();
    world.clock.now += 2 * MINUTE;
    await world.watch();
    expect(world.sent.map(({ chunk }) => chunk)).toEqual([0, 2]);
  });

  it('are sent once, however many watchdogs run', async () => {
    await world.accept(RECORDS);
    world.sent.splice(0);
    world.clock.now += MINUTE;
    const runs = await Promise.all([world.watch(), world.watch()]);
    expect(runs.flat().toSorted()).toEqual(['none', 'resent']);
    expect(world.sent).toHaveLength(1);
  });

  it('are processed from what was sent again, where the queue was down at first', async () => {
    vi.spyOn(world.queue, 'send').mockRejectedValueOnce(new Error('down'));
    await world.accept(RECORDS);
    world.clock.now += MINUTE;
    await world.watch();
    await world.deliver();
    expect(await world.read()).toMatchObject({ status: 'success' });
  });
});

describe('an import that nothing moves for a day', () => {
  it('is announced as abandoned and ends a minute later; its records may be sent again', async () => {
    await world.accept(RECORDS);
    const seen = await pass(29 * HOUR);
    expect(seen.map(([, action]) => action)).toEqual([...seen.slice(2).map(() => 'resent'), 'abandoning', 'abandoned']);
    const [announced, ended] = seen.slice(-2).map(([minutes]) => minutes);
    expect(announced).toBeGreaterThanOrEqual(24 * 60);
    expect(ended).toBe((announced ?? 0) + 1);
    expect(await world.read()).toMatchObject({ status: 'error', summaries: { 0: { succeeded: 0, failed: 3 } } });
    expect(await world.outcomes()).toEqual(['processing_failed', 'processing_failed', 'processing_failed']);

    expect(new Set((await world.deliver()).map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
    await world.accept(RECORDS, { import_id: 'again' });
    await world.deliver();
    expect(await world.outcomes('again')).toEqual(['applied', 'applied', 'applied']);
  });

  it('keeps what did arrive, and what its plan rejects', async () => {
    await world.accept([record('a'), record('b', 'nobody@acme.test')]);
    vi.spyOn(world.stores.imports, 'setSummary').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    await pass(29 * HOUR);
    expect(await world.read()).toMatchObject({ status: 'partial_success' });
    expect(await world.outcomes()).toEqual(['applied', 'user_not_found']);
  });

  it('is not abandoned within the grace period, even by a restart', async () => {
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

  it('fails the records that were planned and never written', async () => {
    await world.accept([record('a'), record('b', 'nobody@acme.test')]);
    vi.spyOn(world.stores.progress, 'claim').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    await pass(29 * HOUR);
    expect(await world.outcomes()).toEqual(['processing_failed', 'user_not_found']);
  });

  it('has a result for each record, even where its payload has expired', async () => {
    limitChunks(2);
    await world.accept(RECORDS);
    vi.spyOn(world.stores.imports, 'readPayloads').mockResolvedValue([undefined]);
    await pass(29 * HOUR);
    const shown = (await world.results()).map(({ index, external_record_id }) => [index, external_record_id]);
    expect(shown).toEqual([0, 1, 2].map((index) => [index, null]));
    expect(await world.outcomes()).toEqual(['processing_failed', 'processing_failed', 'processing_failed']);
  });

  it.each([false, true])(
    'is not abandoned by the first run after an outage of two days (restart: %s)',
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
  it('ends an import whose chunks are all done', async () => {
    await world.accept(RECORDS);
    vi.spyOn(world.stores.imports, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    world.clock.now += MINUTE;
    expect(await world.watch()).toEqual(['settled']);
    expect(await world.read()).toMatchObject({ status: 'success' });
  });

  it('takes care of the other imports where one fails', async () => {
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

  it('does nothing about an import that has ended since it was listed', async () => {
    await world.accept(RECORDS);
    const ended = { ...(await world.read()), status: 'success' as const };
    vi.spyOn(world.stores.imports, 'read').mockResolvedValue(ended);
    world.sent.splice(0);
    world.clock.now += MINUTE;
    expect(await world.watch()).toEqual(['none']);
    expect(world.sent).toEqual([]);
  });

  it('ends an import once, however many run', async () => {
    await world.accept(RECORDS);
    vi.spyOn(world.stores.imports, 'settle').mockRejectedValueOnce(new Error('killed'));
    await expect(world.deliver()).rejects.toThrow('killed');
    world.clock.now += MINUTE;
    const runs = await Promise.all([world.watch(), world.watch()]);
    expect(runs.flat().toSorted()).toEqual(['none', 'settled']);
  });

  it('sends every open import at once after a restart that lost the queue', async () => {
    await world.accept(RECORDS);
    world.sent.splice(0);
    expect(await world.watch(true)).toEqual(['resent']);
    expect(world.sent).toHaveLength(1);
  });
});

/** Ids that only abandoned records claimed are freed, unless claimed in the meantime. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { identityKey, learnerCourseKey } from '../../functions/dynamodb/table.ts';
import { contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import type { MemoryTable } from '../kit/memory-table/memory-table.ts';
import { createWorld } from '../kit/world.ts';
import { contribution } from '../dynamodb/samples.ts';
import { ANN, COMPANY_ID, HOUR, MINUTE, record, useImportWorld } from './world.ts';

const world = useImportWorld();

const BEN = { ...ANN, user_id: 8 };
const CLAIM = { ...ANN, external_record_id: 'a' };
const WRITE = { ...ANN, contribution: contribution({ external_record_id: 'a' }), claim: true, items: 0 };
/** The learner's item once the contribution is written. */
const ITEM = {
  ...learnerCourseKey(COMPANY_ID, WRITE, 0),
  [contributionName(WRITE.contribution)]: packContribution(WRITE.contribution),
};
const ID = identityKey(COMPANY_ID, 'a');
const holder = async () => (await world.stores.progress.identities(COMPANY_ID, ['a'])).get('a');

/** Accepts a record whose invocation dies between its claim and its contribution. Returns the write that is missing. */
async function claimedInVain() {
  await world.accept([record('a')]);
  const contribute = vi.spyOn(world.stores.progress, 'contribute').mockRejectedValueOnce(new Error('killed'));
  await expect(world.deliver()).rejects.toThrow('killed');
  const writes = contribute.mock.calls[0]?.[1] ?? [];
  contribute.mockRestore();
  return writes;
}

/** As the watchdog calls it, a minute apart. */
async function free(writes: Awaited<ReturnType<typeof claimedInVain>>, minutes: number): Promise<boolean> {
  world.clock.now += minutes * MINUTE;
  return world.stores.progress.freeUnused(COMPANY_ID, writes, world.clock.now, MINUTE);
}

describe('an id that was claimed in vain', () => {
  it('the id is marked, and freed after the wait', async () => {
    const writes = await claimedInVain();
    expect(await free(writes, 0)).toBe(false);
    expect(await holder()).toEqual({ ...ANN, unused_at: expect.any(String) });
    expect(await free(writes, 0.9)).toBe(false);
    expect(await holder()).toMatchObject(ANN);
    expect(await free(writes, 0.1)).toBe(true);
    expect(await holder()).toBeUndefined();
  });

  it.each([
    ['its pair', ANN],
    ['another pair, whose result names the holder', BEN],
  ])('the id stays bound if it is claimed meanwhile by %s', async (_, pair) => {
    const writes = await claimedInVain();
    await free(writes, 0);
    const lost = await world.stores.progress.claim(COMPANY_ID, [{ ...CLAIM, ...pair }]);
    expect(lost).toEqual(new Map(pair === ANN ? [] : [['a', ANN]]));
    expect(await holder()).toEqual(ANN);
    expect(await free(writes, 2)).toBe(false);
    expect(await holder()).toMatchObject(ANN);
  });

  it.each<[string, boolean, (table: MemoryTable, now: string) => void]>([
    ['its contribution is written', true, (table) => table.write(ITEM, ITEM)],
    ['it is claimed, and marked anew,', false, (table, unused_at) => table.write(ID, { ...ID, ...ANN, unused_at })],
  ])('the id stays bound if %s between the two reads of the watchdog', async (_, isUsed, happens) => {
    let reads = Number.NEGATIVE_INFINITY;
    const { stores, clock } = createWorld({
      observe: (command, table) => {
        if (command instanceof BatchGetCommand) reads += 1;
        if (reads === 2) happens(table, new Date(clock.now).toISOString());
      },
    });
    await stores.progress.claim(COMPANY_ID, [CLAIM]);
    await stores.progress.freeUnused(COMPANY_ID, [WRITE], clock.now, MINUTE);
    clock.now += MINUTE;
    reads = 0;
    expect(await stores.progress.freeUnused(COMPANY_ID, [WRITE], clock.now, MINUTE)).toBe(isUsed);
    expect(await stores.progress.identities(COMPANY_ID, ['a'])).toMatchObject(new Map([['a', ANN]]));
  });

  it('a claim that finds the mark, and then the id freed, fails, so that the next delivery claims again', async () => {
    let isFreed = false;
    const { stores, clock } = createWorld({
      observe: (command, table) => {
        if (!isFreed || !(command instanceof UpdateCommand)) return;
        table.write(ID, undefined);
      },
    });
    const claim = () => stores.progress.claim(COMPANY_ID, [CLAIM]);
    await claim();
    await stores.progress.freeUnused(COMPANY_ID, [WRITE], clock.now, MINUTE);
    isFreed = true;
    await expect(claim()).rejects.toThrow('freed');
    expect(await claim()).toEqual(new Map());
  });
});

describe('an id that is in use', () => {
  it('the id stays bound if another import has written a record with it', async () => {
    const writes = await claimedInVain();
    await world.accept([record('a')], { import_id: 'other' });
    await world.deliver();
    expect(await free(writes, 2)).toBe(true);
    expect(await holder()).toEqual(ANN);
  });

  it('the id stays bound if it is bound to another pair', async () => {
    const writes = await claimedInVain();
    const others = writes.map((write) => ({ ...write, user_id: 8 }));
    expect(await free(others, 2)).toBe(true);
    expect(await holder()).toEqual(ANN);
  });
});

it('the id of a record that was abandoned after its claim can be used for another learner', async () => {
  await claimedInVain();
  world.sent.splice(0);
  for (const end = world.clock.now + 29 * HOUR; world.clock.now < end; world.clock.now += MINUTE) {
    await world.watch();
    world.sent.splice(0);
  }
  expect(await world.outcomes()).toEqual(['processing_failed']);
  expect(await holder()).toBeUndefined();
  await world.accept([record('a', 'ben@acme.test')], { import_id: 'again' });
  await world.deliver();
  expect(await world.outcomes('again')).toEqual(['applied']);
});

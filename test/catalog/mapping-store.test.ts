/** How user mappings are read for records: at half the price, unless they were changed lately. Milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../kit/world.ts';

const SECOND = 1_000;
const ANN = { external_user_id: 'u-1', email: 'ann@acme.test', user_id: 1, updated_at: '' };
const BEN = { external_user_id: 'u-2', email: 'ben@acme.test', user_id: 2, updated_at: '' };

interface Request {
  readonly Keys?: readonly { readonly sk: string }[];
  readonly ConsistentRead?: boolean;
}

let world: World;
/** Reads of mappings as `ids, strong or not`. */
let reads: string[];
/** Sort keys of all writes. */
let writes: string[];

beforeEach(() => {
  [reads, writes] = [[], []];
  const observe = (command: object) => {
    const { RequestItems = {} } = (command as { input: { RequestItems?: Record<string, Request> } }).input;
    for (const { Keys = [], ConsistentRead } of Object.values(RequestItems))
      if (Keys.length > 0)
        reads.push(`${Keys.map(({ sk }) => sk).join(' ')}, ${ConsistentRead ? 'strong' : 'eventual'}`);
  };
  world = createWorld({ observe });
  world.table.onWrite = ({ sk }) => writes.push(sk);
});

const mappings = () => world.stores.mappings;
const ofRecords = (...ids: string[]) => mappings().userMappingsOfRecords('acme', ids);

describe('userMappingsOfRecords', () => {
  it('mappings are read eventually where none was ever changed, and missing ones once more, strongly', async () => {
    expect((await ofRecords('u-1')).size).toBe(0);
    expect(reads).toEqual(['u-1, eventual', 'u-1, strong']);
  });

  it.each([
    ['at once', 0, 'strong'],
    ['in the minute', 60 * SECOND - 1, 'strong'],
    ['a minute', 60 * SECOND, 'eventual'],
    // The clocks of two functions may differ by a second.
    ['at once, by a clock that is behind,', -SECOND, 'strong'],
  ])('mappings are read %s after a change: %s ms, %s', async (_, afterMs, how) => {
    await mappings().putUserMappings('acme', [ANN, BEN]);
    world.clock.now += afterMs;
    expect([...(await ofRecords('u-1', 'u-2')).values()]).toEqual([ANN, BEN]);
    expect(reads).toEqual([`u-1 u-2, ${how}`]);
  });

  it('only missing mappings are read once more', async () => {
    await mappings().putUserMappings('acme', [ANN]);
    world.clock.now += 60 * SECOND;
    expect([...(await ofRecords('u-1', 'u-2')).keys()]).toEqual(['u-1']);
    expect(reads).toEqual(['u-1 u-2, eventual', 'u-2, strong']);
  });

  it('mappings are read eventually while another company changes its own', async () => {
    await mappings().putUserMappings('acme', [ANN]);
    world.clock.now += 60 * SECOND;
    await mappings().putUserMappings('globex', [BEN]);
    await ofRecords('u-1');
    expect(reads).toEqual(['u-1, eventual']);
  });
});

describe('the note of a change', () => {
  it('a change is noted before its first write', async () => {
    await mappings().putUserMappings('acme', [ANN]);
    world.clock.now += 1;
    await mappings().removeUserMappings('acme', ['u-1']);
    expect(writes).toEqual(['change', 'u-1', 'change', 'u-1']);
  });

  it('a change is noted before a mapping is deleted, and of a deletion it is known whether there was one', async () => {
    await mappings().putUserMappings('acme', [ANN]);
    world.clock.now += 1;
    expect(await mappings().removeUserMapping('acme', 'u-1')).toBe(true);
    world.clock.now += 1;
    expect(await mappings().removeUserMapping('acme', 'u-1')).toBe(false);
    expect(writes).toEqual(['change', 'u-1', 'change', 'u-1', 'change']);
  });

  it('a change is noted even if none of it could be written', async () => {
    world = createWorld({
      observe: (command) => {
        if (command.constructor.name === 'BatchWriteCommand') throw new Error('The database is down.');
      },
    });
    world.table.onWrite = ({ sk }) => writes.push(sk);
    await expect(mappings().putUserMappings('acme', [ANN])).rejects.toThrow('The database is down.');
    expect(writes).toEqual(['change']);
  });

  it('the note of a change does not replace the note of a later one', async () => {
    await mappings().putUserMappings('acme', [ANN]);
    world.clock.now -= 500;
    await mappings().putUserMappings('acme', [BEN]);
    world.clock.now += 60 * SECOND + 499;
    await ofRecords('u-1');
    expect(reads).toEqual(['u-1, strong']);
  });

  it('the note of a change is not in any list and has no external id', async () => {
    await mappings().putUserMappings('acme', [ANN]);
    expect(await mappings().listUserMappings('acme', 100)).toEqual([ANN]);
    expect((await mappings().userMappings('acme', ['change'])).size).toBe(0);
  });
});

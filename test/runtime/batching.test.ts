/** Batches, bounded parallelism, and sending until nothing is left. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { batchesOf, inParallel, sendUntilDone } from '../../functions/runtime/batching.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  [[], 2, []],
  [[1, 2], 2, [[1, 2]]],
  [[1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]],
])('batchesOf: %j by %d', (items, size, batches) => {
  expect(batchesOf(items, size)).toEqual(batches);
});

describe('inParallel', () => {
  it('inParallel: results are in the order of the items, and never more than the limit run at once', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([5, 1, 4, 2, 3], 2, async (turns) => {
      running += 1;
      most = Math.max(most, running);
      for (let i = 0; i < turns; i += 1) await turn();
      running -= 1;
      return turns * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
  });

  it('inParallel: a failure starts no further task, and is thrown once the running ones have ended', async () => {
    const ended: number[] = [];
    const run = inParallel([0, 1, 2, 3], 2, async (item) => {
      if (item === 0) throw new Error('first');
      await turn();
      ended.push(item);
    });
    await expect(run).rejects.toThrow('first');
    expect(ended).toEqual([1]);
  });
});

/** Sends 1 to 6; `done` is how many entries each call gets done, from the front. */
async function sending(done: readonly number[], options: { attempts?: number } = {}) {
  const calls: number[][] = [];
  const waits: number[] = [];
  const waiting = { sleep: async (ms: number) => void waits.push(ms), random: () => 1 };
  const send = async (entries: number[]) => {
    calls.push(entries);
    return entries.slice(done[calls.length - 1] ?? 0);
  };
  const ended = sendUntilDone([1, 2, 3, 4, 5, 6], send, { dependency: 'The queue', waiting, ...options });
  const error: unknown = await ended.catch((caught: unknown) => caught);
  return { calls, waits, error };
}

describe('sendUntilDone', () => {
  it('sendUntilDone: one call if everything is done', async () => {
    expect(await sending([6])).toEqual({ calls: [[1, 2, 3, 4, 5, 6]], waits: [], error: undefined });
  });

  it('sendUntilDone: a later call sends the unprocessed entries, and only those', async () => {
    const { calls } = await sending([2, 3, 1]);
    expect(calls).toEqual([[1, 2, 3, 4, 5, 6], [3, 4, 5, 6], [6]]);
  });

  it('sendUntilDone: the wait doubles after each call that achieved nothing, up to two seconds, and the eighth call is the last', async () => {
    const { calls, waits, error } = await sending([]);
    expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
    expect(calls).toHaveLength(8);
    expect(error).toEqual(new TemporarilyUnavailable('The queue keeps throttling.'));
  });

  it('sendUntilDone: the waits start again after a call that achieved something', async () => {
    expect((await sending([0, 0, 1, 0, 5])).waits).toEqual([100, 200, 100, 200]);
  });

  it('sendUntilDone: fewer attempts are made where fewer are allowed', async () => {
    expect((await sending([], { attempts: 3 })).calls).toHaveLength(3);
  });
});

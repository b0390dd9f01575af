/** Sending a batch until nothing is left of it. Milliseconds. */
import { expect, it } from 'vitest';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { sendUntilDone } from '../../functions/runtime/retry.ts';

/** Sends 1 to 6; `done` says how many entries each call gets done, from the front. */
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

it('sends once where all is done', async () => {
  expect(await sending([6])).toEqual({ calls: [[1, 2, 3, 4, 5, 6]], waits: [], error: undefined });
});

it('sends what was left undone, and only that', async () => {
  const { calls } = await sending([2, 3, 1]);
  expect(calls).toEqual([[1, 2, 3, 4, 5, 6], [3, 4, 5, 6], [6]]);
});

it('waits twice as long after each call that achieved nothing, up to two seconds, and gives up after eight', async () => {
  const { calls, waits, error } = await sending([]);
  expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
  expect(calls).toHaveLength(8);
  expect(error).toEqual(new TemporarilyUnavailable('The queue keeps throttling.'));
});

it('starts the waits again after a call that achieved something', async () => {
  expect((await sending([0, 0, 1, 0, 5])).waits).toEqual([100, 200, 100, 200]);
});

it('gives up earlier where fewer attempts are allowed', async () => {
  expect((await sending([], { attempts: 3 })).calls).toHaveLength(3);
});

/** Bounded parallelism. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { batchesOf, inParallel } from '../../functions/runtime/parallel.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('batchesOf', () => {
  it.each([
    [[], 2, []],
    [[1, 2], 2, [[1, 2]]],
    [[1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]],
  ])('%j by %d', (items, size, batches) => {
    expect(batchesOf(items, size)).toEqual(batches);
  });
});

describe('inParallel', () => {
  it('returns results in the order of the items, never running more than the limit at once', async () => {
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

  it('starts nothing more after a failure, and throws once what runs has ended', async () => {
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

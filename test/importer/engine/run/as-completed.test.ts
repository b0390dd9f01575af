/** The bound, the order of errors, and what is left running. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { asCompleted } from '../../../../bin/importer/engine/run/as-completed.ts';
import { collected } from '../../command/support/files.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('asCompleted', () => {
  it('each item has a step, and never more run at a time than allowed', async () => {
    let [running, most] = [0, 0];
    const results = asCompleted(numbers(10), 3, async (n) => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      return n;
    });
    expect((await collected(results)).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(3);
  });

  it('after an error no further step starts, and the error is thrown once the others have ended', async () => {
    const [started, ended]: [number[], number[]] = [[], []];
    const results = asCompleted(numbers(10), 2, async (n) => {
      started.push(n);
      if (n === 0) throw new Error('first');
      await turn();
      ended.push(n);
    });
    await expect(collected(results)).rejects.toThrow('first');
    expect([started, ended]).toEqual([[0, 1], [1]]);
  });

  it('the steps in progress are awaited if the reader stops', async () => {
    let [started, ended] = [0, 0];
    for await (const n of asCompleted(numbers(10), 3, async (n) => {
      started += 1;
      for (let turns = 0; turns < n; turns += 1) await turn();
      ended += 1;
      return n;
    }))
      if (n === 0) break;
    expect(started).toBeGreaterThan(1);
    expect(ended).toBe(started);
  });
});

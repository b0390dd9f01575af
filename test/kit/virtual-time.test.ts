/** The clock that only calls move. Costs milliseconds. */
import { expect, it } from 'vitest';
import { VirtualTime } from './virtual-time.ts';

it('calls in a row add up on the virtual clock, and calls side by side count once, whatever they take in fact', async () => {
  const time = new VirtualTime();
  const turns = (count: number) => async () => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  await time.call(5, turns(1));
  await Promise.all([time.call(12, turns(9)), time.call(5, turns(20)), time.call(12, turns(1))]);
  await expect(time.call(5, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([time.nowMs, time.depth]).toEqual([22, 3]);
});

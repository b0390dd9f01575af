/** The virtual clock of the meter: calls at once cost the longest, calls in a row their sum. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { VirtualTime } from './virtual-time.ts';

/** A call that takes so many turns of the event loop, independent of its time on the virtual clock. */
const turns = (count: number) => async () => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('virtual time', () => {
  it('calls that wait for each other add up', async () => {
    const time = new VirtualTime();
    await time.call(5, turns(1));
    await time.call(12, turns(1));
    expect([time.nowMs, time.depth]).toEqual([17, 2]);
  });

  it('calls side by side count once, even if their real durations differ', async () => {
    const time = new VirtualTime();
    await Promise.all([time.call(12, turns(9)), time.call(5, turns(1)), time.call(12, turns(3))]);
    expect([time.nowMs, time.depth]).toEqual([12, 1]);
  });

  it('calls end in the order of the virtual clock', async () => {
    const time = new VirtualTime();
    const ended: string[] = [];
    const call = (name: string, ms: number, count: number) => time.call(ms, turns(count)).then(() => ended.push(name));
    await Promise.all([call('slow', 12, 1), call('fast', 5, 20)]);
    expect(ended).toEqual(['fast', 'slow']);
  });

  it('the clock continues after a call that fails', async () => {
    const time = new VirtualTime();
    await expect(time.call(5, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await time.call(5, turns(1));
    expect(time.nowMs).toBe(10);
  });
});

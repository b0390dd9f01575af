/** The gate of the benchmark: what counts as worse and as better. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { improvements, regressions } from './compare.ts';

describe('the gate', () => {
  it('lets a figure grow by one per cent and no further', () => {
    const worse = regressions({ calls: 100, bytes: 1000 }, { calls: 101, bytes: 1011 });
    expect(worse).toEqual([{ figure: 'bytes', committed: 1000, now: 1011 }]);
  });

  it('lets nothing grow from zero', () => {
    expect(regressions({ messages: 0 }, { messages: 1 })).toHaveLength(1);
    expect(regressions({ messages: 0 }, { messages: 0 })).toEqual([]);
  });

  it('lets a bundle grow by some lines, but by no library', () => {
    const committed = { 'bundle bytes: small': 34_000, 'bundle bytes: large': 300_000 };
    const grown = (bytes: number) => ({
      'bundle bytes: small': 34_000 + bytes,
      'bundle bytes: large': 300_000 + bytes,
    });
    expect(regressions(committed, grown(2000))).toEqual([]);
    expect(regressions(committed, grown(3001)).map(({ figure }) => figure)).toEqual(Object.keys(committed));
  });

  it('misses a figure that is no longer measured', () => {
    expect(regressions({ calls: 1 }, {})).toEqual([{ figure: 'calls', committed: 1, now: undefined }]);
  });

  it('names what is better or new, so that it can be committed', () => {
    expect(improvements({ calls: 100, bytes: 100 }, { calls: 98, bytes: 99.5, depth: 3 })).toEqual(['calls', 'depth']);
  });
});

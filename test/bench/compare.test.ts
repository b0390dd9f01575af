/** The gate of the benchmark: which figures count as worse and as better. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { improvements, regressions } from './compare.ts';

describe('the gate', () => {
  it('a figure may grow by one per cent and no further', () => {
    const worse = regressions({ calls: 100, bytes: 1000 }, { calls: 101, bytes: 1011 });
    expect(worse).toEqual([{ figure: 'bytes', committed: 1000, now: 1011 }]);
  });

  it('a figure of zero may not grow', () => {
    expect(regressions({ messages: 0 }, { messages: 1 })).toHaveLength(1);
    expect(regressions({ messages: 0 }, { messages: 0 })).toEqual([]);
  });

  it('a bundle may grow by some lines, but not by a library', () => {
    const committed = { 'bundle bytes: small': 34_000, 'bundle bytes: large': 300_000 };
    const grown = (bytes: number) => ({
      'bundle bytes: small': 34_000 + bytes,
      'bundle bytes: large': 300_000 + bytes,
    });
    expect(regressions(committed, grown(2000))).toEqual([]);
    expect(regressions(committed, grown(3001)).map(({ figure }) => figure)).toEqual(Object.keys(committed));
  });

  it('a figure that is no longer measured fails', () => {
    expect(regressions({ calls: 1 }, {})).toEqual([{ figure: 'calls', committed: 1, now: undefined }]);
  });

  it('better and new figures are named, so that they can be committed', () => {
    expect(improvements({ calls: 100, bytes: 100 }, { calls: 98, bytes: 99.5, depth: 3 })).toEqual(['calls', 'depth']);
  });
});

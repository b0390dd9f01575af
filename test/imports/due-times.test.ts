import { describe, expect, it } from 'vitest';
import { FIRST_DUE_MS, dueAfterChunk } from '../../functions/imports/lifecycle.ts';
import { instant } from '../../functions/records/instants.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4);
const LATER = instant(NOW + FIRST_DUE_MS);
const due = (aheadMs: number) => dueAfterChunk(instant(NOW + aheadMs), NOW);

describe('the due time after a chunk', () => {
  it('stays where it is far enough ahead, so that a healthy import writes no index entries', () => {
    expect(due(FIRST_DUE_MS)).toBeUndefined();
    expect(due(30_000)).toBeUndefined();
  });

  it('moves once it has come near or gone by', () => {
    expect(due(29_999)).toBe(LATER);
    expect(due(-3_600_000)).toBe(LATER);
  });

  it('is set where there is none', () => {
    expect(dueAfterChunk(undefined, NOW)).toBe(LATER);
  });
});

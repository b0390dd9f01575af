import { describe, expect, it } from 'vitest';
import { dueAfterChunk } from '../../functions/workflow/due-times.ts';

const NOW = '2026-01-02T03:04:00.000Z';
const due = (standing: string | undefined) => dueAfterChunk(standing, Date.parse(NOW));

describe('the due time after a chunk', () => {
  it('stays where it is far enough ahead, so that a healthy import writes no index entries', () => {
    expect(due('2026-01-02T03:05:00.000Z')).toBeUndefined();
    expect(due('2026-01-02T03:04:30.000Z')).toBeUndefined();
  });

  it('moves to 50 s from now once it has come near or gone by', () => {
    expect(due('2026-01-02T03:04:29.999Z')).toBe('2026-01-02T03:04:50.000Z');
    expect(due('2026-01-02T02:00:00.000Z')).toBe('2026-01-02T03:04:50.000Z');
  });

  it('is set where there is none', () => {
    expect(due(undefined)).toBe('2026-01-02T03:04:50.000Z');
  });
});

/** What a history writes down. TLC reads histories in `npm run test:traces`. */
import { describe, expect, it } from 'vitest';
import { historyOf } from './histories.ts';

describe('a history of the code', () => {
  it('the history is the same for the same seed, and ends with what is stored', async () => {
    const [once, again] = [await historyOf(3), await historyOf(3)];
    expect(again).toEqual(once);
    expect(once.events.at(-1)).toMatchObject({ a: 'End', status: { A: 'ended', B: 'ended', C: 'ended' } });
  });

  it('each invocation has its place until it does nothing any more', async () => {
    const { events } = await historyOf(1);
    const busy = new Set<unknown>();
    for (const { a, w, gone } of events) {
      for (const place of gone) busy.delete(place);
      if (w === undefined) continue;
      expect(busy.has(w)).toBe(a !== 'ReadChunk');
      busy.add(w);
    }
  });

  it('a plan names its outcome, and the decision before it the same', async () => {
    const { events } = await historyOf(0);
    const outcomes = (action: string) =>
      events.flatMap(({ a, out, ok }) => (a === action && ok !== false ? [out] : []));
    expect(outcomes('PutPlan')).not.toEqual([]);
    for (const out of outcomes('PutPlan')) expect(['applied', 'updated', 'unchanged', 'rejected']).toContain(out);
  });
});

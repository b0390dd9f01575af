/** What a history writes down. TLC reads histories in `npm run test:traces`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { historyOf } from './histories.ts';
import { TRACED_VARIANTS, UNKNOWN_NAMES } from './variants.ts';

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
      expect(busy.has(w)).toBe(a !== 'ReadChunk' && a !== 'ReadRevert');
      busy.add(w);
    }
  });

  it('an erasure leaves no payload and no plan that names the person, also where one is copied meanwhile', async () => {
    const { events } = await historyOf(5);
    const actions = events.map(({ a }) => a);
    expect(actions).toEqual(expect.arrayContaining(['Tell', 'CopyPayload', 'ErasePayload', 'ListAgain', 'ErasePlan']));
    expect(actions.indexOf('EndCopied')).toBeGreaterThan(actions.indexOf('ErasePayload'));
    expect(events.at(-1)).toMatchObject({ a: 'End', erased: true, named: [] });
  });

  it('a plan names its outcome, and the decision before it the same', async () => {
    const { events } = await historyOf(0);
    const outcomes = (action: string) =>
      events.flatMap(({ a, out, ok }) => (a === action && ok !== false ? [out] : []));
    expect(outcomes('PutPlan')).not.toEqual([]);
    for (const out of outcomes('PutPlan')) expect(['applied', 'updated', 'unchanged', 'rejected']).toContain(out);
  });
});

describe('the broken variants', () => {
  it('each that the specification does not speak of, or that is shown late, is a variant of the simulator', () => {
    expect(UNKNOWN_NAMES).toEqual([]);
  });

  it('the page of the specification says how many there are, and of how many it does not speak', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/specification.md'), 'utf8').replaceAll(
      '\n',
      ' ',
    );
    const rejected = TRACED_VARIANTS.filter(({ notSpecified }) => notSpecified === undefined).length;
    expect(page).toContain(`${TRACED_VARIANTS.length} broken variants`);
    expect(page).toContain(`one of each of ${rejected}. Of the other ${TRACED_VARIANTS.length - rejected} it`);
  });
});

/** What a history records. TLC reads histories in `npm run test:traces`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionsBeside } from '../actions.ts';
import { historyOf } from './histories.ts';
import { TRACED_VARIANTS } from './variants.ts';

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
    const { events } = await historyOf(505);
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

it('each action beside the protocol occurs in some history, and so do records that are rejected and mappings that change', async () => {
  const histories = await Promise.all([5, 15, 16, 31].map((seed) => historyOf(seed)));
  const seen = new Set(histories.flatMap(({ events }) => events.map(({ a }) => a)));
  const actions = actionsBeside();
  expect(actions).toContain('Poll');
  expect([...actions, 'Remap'].filter((action) => !seen.has(action))).toEqual([]);
  expect(histories.flatMap(({ records }) => Object.values(records).map(({ pair }) => pair))).toContain('none');
});

it('the page of the specification says how many broken variants there are', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/specification.md'), 'utf8').replaceAll('\n', ' ');
  expect(page).toContain(`${TRACED_VARIANTS.length} broken variants`);
});

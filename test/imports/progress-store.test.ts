/** How a learner-course item is read. The contract of the store is in test/dynamodb. Costs milliseconds. */
import { expect, it } from 'vitest';
import { contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import { overflowItems, toCourseHistory } from '../../functions/imports/progress-store.ts';
import { contribution } from '../dynamodb/samples.ts';

const ANN = { user_id: 7, platform_course_id: 101 };

it('contributions are returned oldest first, those of one moment by import, those of one import by position', () => {
  const [earlier, later] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
  const inOrder = [
    { imported_at: earlier, import_id: 'b', index: 0 },
    { imported_at: later, import_id: 'a', index: 9 },
    { imported_at: later, import_id: 'a', index: 10 },
    { imported_at: later, import_id: 'b', index: 1 },
    { imported_at: later, import_id: 'c', index: 0 },
  ].map(contribution);
  const orders = [inOrder, inOrder.toReversed(), [3, 1, 4, 0, 2].flatMap((at) => inOrder.slice(at, at + 1))];
  for (const stored of orders) {
    const item = Object.fromEntries(stored.map((each) => [contributionName(each), packContribution(each)]));
    expect(toCourseHistory(ANN, item).contributions).toEqual(inOrder);
  }
});

it('the items of a learner course are read as one, and a contribution that two of them hold counts once', () => {
  const [a, b, c] = [0, 1, 2].map((index) => contribution({ index }));
  const itemOf = (...held: (typeof a)[]) =>
    Object.fromEntries(held.flatMap((each) => (each ? [[contributionName(each), packContribution(each)]] : [])));
  const history = toCourseHistory(ANN, { ...itemOf(a), overflow: 3 }, [itemOf(b), undefined, itemOf(b, c)]);
  expect(history).toEqual({ ...ANN, native: null, contributions: [a, b, c], items: 4, filled: expect.any(Number) });
  expect([overflowItems(undefined), overflowItems({}), overflowItems({ overflow: 3 })]).toEqual([0, 0, 3]);
});

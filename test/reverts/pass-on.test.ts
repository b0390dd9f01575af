/** What records rely on after the import that they relied on. Costs milliseconds. */
import { expect, it } from 'vitest';
import { passOn } from '../../functions/reverts/pass-on.ts';
import type { Contribution, RecordWrite } from '../../functions/shared/model.ts';
import { contributed, record, stored } from '../records/fixtures.ts';

const PAIR = { user_id: 7, platform_course_id: 101 };

const contributionOf = (import_id: string, completion_pct = 50, replace = false): Contribution =>
  contributed(record({ progress: { completion_pct } }), { import_id, replace });
const writeOf = (import_id: string): RecordWrite => ({
  ...PAIR,
  claim: false,
  contribution: contributionOf(import_id),
  items: 1,
});

/** What becomes of the records of these imports when `reverted` are reverted; the first of those is passed on. */
function passed(relying: readonly string[], reverted: readonly string[], contributions: readonly Contribution[]) {
  const histories = new Map([['7/101', stored({ contributions })]]);
  const [import_id = ''] = reverted;
  const { own, others } = passOn(relying.map(writeOf), { import_id, reverted: new Set(reverted), histories });
  return [
    own.map(({ contribution }) => contribution.import_id),
    others.map(({ write, holder }) => [write.contribution.import_id, holder]),
  ];
}

it('passOn: several records of equal content → the first gets its own, the others rely on it', () => {
  expect(passed(['B', 'C', 'D'], ['A'], [contributionOf('A')])).toEqual([
    ['B'],
    [
      ['C', 'B'],
      ['D', 'B'],
    ],
  ]);
});

it('passOn: an earlier import has the same content → every record relies on that', () => {
  expect(passed(['C'], ['A'], [contributionOf('A'), contributionOf('B')])).toEqual([[], [['C', 'B']]]);
});

it.each([
  ['is reverted too', ['A', 'B'], [contributionOf('A'), contributionOf('B')]],
  ['was accepted later', ['A'], [contributionOf('A'), contributionOf('D')]],
  ['was replaced since', ['B'], [contributionOf('A'), contributionOf('AB', 60, true), contributionOf('B')]],
])('passOn: the other import %s → the first record gets its own', (_, reverted, contributions) => {
  expect(passed(['C'], reverted, contributions)).toEqual([['C'], []]);
});

it('passOn: the record relies on another import, or has its own → nothing', () => {
  expect(passed(['B'], ['A'], [contributionOf('A', 60), contributionOf('AA')])).toEqual([[], []]);
  expect(passed(['B'], ['A'], [contributionOf('A'), contributionOf('B')])).toEqual([[], []]);
});

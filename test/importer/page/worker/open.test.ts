/** What is open of a draft, in its title. Costs milliseconds. */
import { expect, it } from 'vitest';
import { type Open, openIn, withOpen } from '../../../../bin/importer/page/worker/open.ts';

it.each<[written: string, open: Open]>([
  [
    'history.csv (open: kinds 3, people 12)',
    [
      ['kinds', 3],
      ['people', 12],
    ],
  ],
  ['history.csv (nothing open)', []],
])('what is open is behind the title, and comes back from it: %s', (written, open) => {
  expect(withOpen('history.csv', [['columns', 0], ...open])).toBe(written);
  expect(openIn(written)).toEqual({ title: 'history.csv', open });
});

it('a title that somebody else wrote stays as it is', () => {
  for (const title of ['Absorb, until 2024', 'open: kinds 3', 'history (open: all day)', 'history (2)', null])
    expect(openIn(title)).toEqual({ title, open: undefined });
});

it('a long title is cut, and never what is open', () => {
  const written = withOpen('x'.repeat(200), [['courses', 1]]);
  expect([written.length, openIn(written).open]).toEqual([200, [['courses', 1]]]);
});

/** Which rows below a matrix are sums, and which are learners. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { areSums, mayBeSums } from '../../../../bin/importer/engine/profile/sum-rows.ts';
import { TableProfile } from '../../../../bin/importer/engine/profile/table-profile.ts';

type Rows = readonly (readonly string[])[];

/** Whether the row below these is one of sums. */
function isSumBelow(rows: Rows, row: readonly string[]): boolean {
  const profile = new TableProfile(['Id', 'Name', 'Email', 'Fire Safety', 'First Aid']);
  for (const cells of rows) profile.add(cells);
  return mayBeSums(row) && areSums(row, profile);
}

const DAYS: Rows = [
  ['71', 'Ana', 'ana@x.test', '2024-01-05', '2024-03-05'],
  ['72', 'Ben', 'ben@x.test', '2024-02-05', 'n/a'],
  ['73', 'Cem', 'cem@x.test', '-', '2024-01-05'],
  ['74', 'Dea', 'dea@x.test', '', '2024-01-05'],
];
const WORDS: Rows = DAYS.map(([id = '', name = '', email = ''], at) => [
  id,
  name,
  email,
  at > 1 ? 'No' : 'Yes',
  at > 0 ? 'No' : 'Yes',
]);
const NUMBERS: Rows = DAYS.map(([id = '', name = '', email = ''], at) => [id, name, email, `${at}`, `${at + 1}`]);
const withoutAddresses = (rows: Rows): Rows => rows.map((row) => row.map((cell, at) => (at === 2 ? '' : cell)));

describe('a row of sums', () => {
  it.each([
    ['counts the days of each column', DAYS, ['Total', '', '', '2', '3']],
    ['has any text', DAYS, ['Formati', '', '', '2', '3']],
    ['has shares', DAYS, ['Done', '', '', '50%', '75 %']],
    ['counts some of the words', WORDS, ['Total', '', '', '2', '1']],
    ['is called so where nobody has an address', withoutAddresses(DAYS), ['Total', '', '', '2', '3']],
  ])('%s', (_, rows, row) => expect(isSumBelow(rows, row)).toBe(true));
});

describe('a learner is no row of sums', () => {
  it.each([
    ['with an address', DAYS, ['Total', '', 'total@x.test', '2', '3']],
    ['with other numbers', DAYS, ['Dua', '', '', '1', '1']],
    ['with another text beside', DAYS, ['Total', 'Recall', '', '2', '3']],
    ['where nobody has an address', withoutAddresses(DAYS), ['Dua', '', '', '2', '3']],
    ['with more than the sum of a column', DAYS, ['Total', '', '', '2', '5']],
    ['where others have numbers', NUMBERS, ['Total', '', '', '4', '4']],
    ['with an id', DAYS, ['75', '', '', '2', '3']],
    ['with some of the words where nobody has an address', withoutAddresses(WORDS), ['Total', '', '', '2', '1']],
  ])('%s', (_, rows, row) => expect(isSumBelow(rows, row)).toBe(false));

  it('of whom an address is missing in another row as well', () => {
    const rows = [...DAYS, ['75', 'Eva', '', '2024-01-05', '']];
    expect(isSumBelow(rows, ['Formati', '', '', '3', '3'])).toBe(false);
  });
});

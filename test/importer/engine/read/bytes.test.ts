/** Names of the files that are written of a file. Costs milliseconds. */
import { expect, it } from 'vitest';
import { originalName, rejectedName } from '../../../../bin/importer/engine/read/bytes.ts';

it.each([
  ['a/history.csv', 'a/history.rejected.csv'],
  ['a/history.rejected-2.csv', 'a/history.rejected.csv'],
  ['a.b/history', 'a.b/history.rejected.csv'],
  ['a/the.rejected.ones.xlsx', 'a/the.rejected.ones.rejected.csv'],
])('rejectedName: %s → %s, whose original has the name without the word', (name, derived) => {
  expect(rejectedName(name, '.csv')).toBe(derived);
  expect(originalName(derived)).toBe(derived.replace(/\.rejected(?=\.csv$)/, ''));
});

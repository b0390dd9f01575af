/** Names of the files that are written of a file. Costs milliseconds. */
import { expect, it } from 'vitest';
import { derivedName, originalName } from '../../../../bin/importer/engine/source/bytes.ts';

it.each([
  ['a/history.csv', 'a/history.unmatched.csv'],
  ['a/history.rejected-2.csv', 'a/history.unmatched.csv'],
  ['a/history.unmatched.csv', 'a/history.unmatched.csv'],
  ['a.b/history', 'a.b/history.unmatched.csv'],
  ['a/the.rejected.ones.xlsx', 'a/the.rejected.ones.unmatched.csv'],
])('derivedName: %s → %s, whose original has the name without the word', (name, derived) => {
  expect(derivedName(name, 'unmatched', '.csv')).toBe(derived);
  expect(originalName(derived)).toBe(derived.replace('.unmatched', ''));
});

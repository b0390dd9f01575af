/** Rows that a column marks as deleted, in drafts of several languages. Costs milliseconds. */
import { expect, it } from 'vitest';
import { drafted } from '../shape/drafted.ts';

it.each([
  ['Deleted', 'Yes', 'No'],
  ['isArchived', '1', '0'],
  ['Voided', 'true', 'false'],
  ['Withdrawn', 'Withdrawn', ''],
  ['Gelöscht', 'Ja', 'Nein'],
  ['Supprimé', 'oui', 'non'],
  ['已删除', '是', '否'],
  ['Deleted at', '2024-05-01 10:00:00', ''],
])('withoutDeleted: %s with %s → left out, and confirmed', async (header, yes, no) => {
  const rows = [yes, no, no].map((cell, row) => `${'abc'[row]}@x.test,SEC,Completed,${cell}`);
  const { guesses, records } = await drafted(`Email,Course,Status,${header}\n${rows.join('\n')}\n`);
  expect(guesses).toEqual([`"${header}": "${yes}" (1 row) is read as deleted; these rows are left out.`]);
  expect(records).toEqual(['b@x.test SEC 100 %', 'c@x.test SEC 100 %']);
});

it('withoutDeleted: a column without such a row → certain', async () => {
  const { guesses, records } = await drafted('Email,Course,Status,Deleted\na@x.test,SEC,Completed,No\n');
  expect([guesses, records]).toEqual([[], ['a@x.test SEC 100 %']]);
});

it('withoutDeleted: a word that is not known → named with its count', async () => {
  const { guesses } = await drafted('Email,Course,Status,Archived\na@x.test,SEC,Completed,Live\n');
  expect(guesses).toEqual(['"Archived": "Live" (1 row) is not known and not used.']);
});

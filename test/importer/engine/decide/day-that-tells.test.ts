/** A phrase that begins with `Completed` completes a course beside a day that agrees with the words of all other rows. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const DAYS = ['2025-03-01', '2025-03-02', '2025-03-03'];

/** What is suggested for the last of some rows: three are completed, three in progress. */
async function last(phrase: string, { day = 'Completion date', onDay = DAYS[0], unfinishedOn = '' } = {}) {
  const done = DAYS.map((each) => `${each},Completed`);
  const begun = DAYS.map(() => `${unfinishedOn},In progress`);
  const rows = [...done, ...begun, `${onDay},${phrase}`].map(
    (row, index) => `p${index}@acme.test,C${index % 2},${row}`,
  );
  const csv = [`Email,Course,${day},Status`, ...rows].join('\n');
  const { kinds } = await findKinds([await openSource(new File([csv], 'a.csv'), { now: Date.parse('2026-11-27') })]);
  const { outcome, words } = kinds.find(({ lines }) => lines.includes(8)) ?? {};
  return [outcome, words?.['Status']];
}

it('a phrase that begins with a completion is one beside such a day', async () => {
  expect(await last('Completed through RPL')).toEqual(['completed', 'phrase_on_a_day_of_completion']);
});

it.each([
  ['a phrase that may say less', 'Partially completed', {}],
  ['an end', 'Completed – lapsed and expired', {}],
  ['a day that only says date', 'Completed through RPL', { day: 'Date' }],
  ['a day of a deadline', 'Completed through RPL', { day: 'Completion date (target)' }],
  ['a day that unfinished rows have, too', 'Completed through RPL', { unfinishedOn: DAYS[0] }],
])('%s leaves it to a person', async (_, phrase, given) => {
  expect((await last(phrase, given))[0]).toBe(null);
});

it('no day is no completion', async () => {
  expect(await last('Completed through RPL', { onDay: '' })).toEqual(['leave_out', 'word_not_known']);
});

/** A day that every row has says nothing of who is done: the words decide. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const ROWS = Array.from({ length: 12 }, (_, index) => index);

type Texts = (index: number) => string;

/** What is suggested by a word and a day of completion. */
async function suggested(wordOf: Texts, dayOf: Texts, more: Texts = () => '') {
  const lines = ROWS.map((index) =>
    [`p${index}@acme.test`, 'Fire Safety', wordOf(index), dayOf(index), more(index)].join(),
  );
  const csv = ['Email,Course,Status,Completion date,Progress', ...lines].join('\n');
  const { kinds } = await findKinds([await openSource(new File([csv], 'a.csv'), { now: Date.parse('2026-11-27') })]);
  return Object.fromEntries(kinds.map(({ outcome, date, values }) => [values['Status'], [outcome, date]]));
}

const always = (): string => '2025-03-09';
const word =
  (other: string): Texts =>
  (index) =>
    index % 4 === 0 ? other : 'Completed';

it('who is in progress is, without a day', async () => {
  expect(await suggested(word('In progress'), always)).toEqual({
    Completed: ['completed', 'Completion date'],
    'In progress': ['in_progress', null],
  });
});

it.each<[string, string, Texts, Texts?]>([
  ['one row has no day', 'In progress', (index) => (index === 1 ? '' : always())],
  ['the word says less', 'Not started', always],
  ['the progress is whole', 'In progress', always, (index) => (index === 1 ? '90 %' : '100 %')],
  ['a word is unknown', 'Frobnicated', always],
])('where %s, a person is asked', async (_, other, dayOf, more) => {
  expect((await suggested(word(other), dayOf, more))[other]).toEqual([null, null]);
});

it('where nobody is done, a person is asked', async () => {
  expect(await suggested(() => 'In progress', always)).toEqual({ 'In progress': [null, null] });
});

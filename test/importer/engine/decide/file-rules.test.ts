/** A day that every row has, beside words that say not done: a second column has to say so, or who failed to have it. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

interface Table {
  readonly day?: string;
  readonly second?: string;
  /** How many rows are completed, with their day and what the second column says. */
  readonly done?: number;
  readonly dayOfDone?: string;
  readonly ofDone?: readonly string[];
  /** The row in question. */
  readonly status?: string;
  readonly says?: string;
  /** A further row. */
  readonly more?: string;
}

/** What is suggested for the last row of a history. */
async function suggested(table: Table) {
  const {
    day = 'Completion date',
    second = 'For credit',
    done = 12,
    dayOfDone = '2025-03-10',
    ofDone = ['Yes'],
  } = table;
  const { status = 'Course incomplete', says = 'No', more } = table;
  const lines = Array.from({ length: done }, (_, index) =>
    [
      `p${index}@acme.test`,
      'A',
      'Completed',
      ofDone[index % ofDone.length],
      index === 0 ? dayOfDone : '2025-03-11',
    ].join(),
  );
  const last = [`q@acme.test`, 'A', status, says, '2025-03-12'].join();
  const rows = [`Email,Course,Status,${second},${day}`, ...lines, ...(more === undefined ? [] : [more]), last];
  const source = await openSource(new File([rows.join('\n')], 'history.csv'), { now: Date.parse('2026-11-27') });
  const { kinds } = await findKinds([source]);
  return kinds.find(({ lines: own }) => own.includes(rows.length));
}

it.each([
  {},
  { status: 'No show' },
  { status: 'Not completed', says: 'N', ofDone: ['Y'] },
  { second: 'Credit awarded' },
  { more: 'r@acme.test,A,Failed,No,2025-03-12' },
  { says: '', ofDone: [''], more: 'r@acme.test,A,Course failed (No credit),,2025-03-12' },
])('no day that every row has completes %j', async (table) => {
  expect(await suggested(table)).toMatchObject({ outcome: 'leave_out', reason: { code: 'was_not_there' } });
});

it.each([
  ['the second column says yes', { says: 'Yes' }],
  ['the second column says nothing', { says: '' }],
  ['the second column says no of some that are completed', { ofDone: ['Yes', 'No'] }],
  ['the second column is empty in some that are completed', { ofDone: ['Yes', ''] }],
  ['the second column has words', { ofDone: ['Full'], says: 'None' }],
  ['not every row has the day', { dayOfDone: '' }],
  ['the rows are few', { done: 4 }],
  ['who failed has no day', { says: '', ofDone: [''], more: 'r@acme.test,A,Failed,,' }],
  ['nobody failed', { says: '', ofDone: [''] }],
  [
    'who failed has the day, and others have not started',
    { status: 'Not started', says: '', ofDone: [''], more: 'r@acme.test,A,Failed,,2025-03-12' },
  ],
  ['a completion is not for credit', { status: 'Course complete (Not for credit)' }],
])('where %s, a person says what a day beside a row that is not done is', async (_, table) => {
  expect(await suggested(table)).toMatchObject({ outcome: null });
});

it('who is in progress is not left out', async () => {
  expect(await suggested({ status: 'In progress' })).not.toMatchObject({ outcome: 'leave_out' });
});

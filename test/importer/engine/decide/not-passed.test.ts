/** `Passed: No` beside 100 %: a failure where the rest of the file says so, and a question elsewhere. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

/** @param cells progress, answer and day of each kind; three rows have them */
async function lastOf(header: string, ...cells: readonly string[]) {
  const rows = cells.flatMap((each, at) =>
    [0, 1, 2].map((index) => `p${at}${index}@acme.test,Course ${index},${each}`),
  );
  const file = new File([[`Email,Course,${header}`, ...rows].join('\n')], 'history.csv');
  const { kinds } = await findKinds([await openSource(file, { now: Date.parse('2026-11-27') })]);
  const last = kinds.at(-1);
  return [last?.outcome, last?.reason?.code];
}

const HEADER = 'Progress in %,Passed,Passed on';
const [DONE, BEGUN, EMPTY, NOT] = ['100,Yes,2026-03-02', '40,,', '0,,', '100,No,'] as const;

it.each([
  [HEADER, DONE, BEGUN, EMPTY, NOT],
  ['Fortschritt in %,Bestanden,Bestanden am', '100,Ja,2026-03-02', BEGUN, EMPTY, '100,Nein,'],
])('under %s who has done all of it and did not pass has failed', async (...table) => {
  expect(await lastOf(...table)).toEqual(['leave_out', 'failed_on_no_day']);
});

it.each([
  ['rows in progress say no, too', HEADER, [DONE, '40,No,', NOT]],
  ['rows that were not begun say no, too', HEADER, [DONE, BEGUN, '0,No,', NOT]],
  ['a yes stands below the whole', HEADER, [DONE, '80,Yes,2026-03-03', BEGUN, NOT]],
  ['a yes has no day', HEADER, [DONE, '100,Yes,', BEGUN, NOT]],
  ['nobody has passed', HEADER, [BEGUN, EMPTY, NOT]],
  ['nobody is below the whole', HEADER, [DONE, NOT]],
  ['the no has a day', HEADER, [DONE, BEGUN, '100,No,2026-03-04']],
  ['the header asks for the completion', 'Progress in %,Completed,Completed on', [DONE, BEGUN, EMPTY, NOT]],
])('a person is asked where %s', async (_, header, cells) => {
  expect((await lastOf(header, ...cells))[0]).toBeNull();
});

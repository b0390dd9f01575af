/** Only columns that carry information say what becomes of a row. Eighty rows with a status, a day, and a column beside them. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

/** Rows by turns: two completed, one in progress, one not started. */
const STATUS = ['Completed', 'Completed', 'In progress', 'Not started'];
const ROWS = Array.from({ length: 80 }, (_, index) => index);
const isDone = (index: number): boolean => index % 4 < 2;

type CellOf = (index: number) => string;
const always =
  (text: string): CellOf =>
  () =>
    text;
/** Of every eight rows the first four have one, so that as many completed rows have it as others. */
const evenly =
  (one: string, other: string): CellOf =>
  (index) =>
    index % 8 < 4 ? one : other;
const ofDone =
  (one: string, other: string): CellOf =>
  (index) =>
    isDone(index) ? one : other;
const numbered =
  (text: string): CellOf =>
  (index) =>
    `${text}${index}`;

const NOTHING: readonly (readonly [header: string, cellOf: CellOf])[] = [
  ['Total Assessments Completed', always('0')],
  ['Lessons completed today', always('0')],
  ['Mandatory', always('Yes')],
  ['Recommended', always('No')],
  ['Tenant', always('acme')],
  ['Flag', always('1')],
  ['Certificate No', numbered('C-')],
  ['Certificate ID', numbered('9f3')],
  ['Completion code', numbered('X')],
  ['Result key', numbered('r')],
  ['ai_recommended', evenly('Yes', 'No')],
  ['Mobile', evenly('1', '0')],
  ['Mandatory for role', evenly('true', 'false')],
  ['Path', evenly('Alpha', 'Beta')],
  ['Delivery', evenly('Online', 'Classroom')],
];
const TELLING: readonly (readonly [header: string, cellOf: CellOf])[] = [
  ['Revoked', evenly('Yes', 'No')],
  ['Valid', evenly('Yes', 'No')],
  ['Valid', always('No')],
  ['Completed', always('No')],
  ['Is suspended', always('Yes')],
  ['Result', evenly('Alpha', 'Beta')],
  ['Enrollment Status', evenly('Alpha', 'Beta')],
  ['Outcome', ofDone('Passed', 'Failed')],
  ['Certified', ofDone('Yes', 'No')],
  ['Signed', ofDone('Yes', 'No')],
  ['Dismissed', (index) => (index === 0 ? 'true' : 'false')],
  ['Exempt', (index) => (index === 4 ? 'Yes' : 'No')],
  ['Flag', (index) => (index < 3 ? '1' : '0')],
  ['Checked', (index) => (isDone(index) && index % 8 < 4 ? 'Yes' : 'No')],
  ['Attendance', (index) => (index % 4 === 3 ? 'Absent' : 'Attended')],
];

async function stateOf(header: string, cellOf: CellOf): Promise<readonly string[]> {
  const rows = ROWS.map((index) =>
    [`p${index}@acme.test`, 'Fire Safety', STATUS[index % 4], isDone(index) ? '2024-01-22' : '', cellOf(index)].join(),
  );
  const csv = [`Email,Course,Status,Completed on,${header}`, ...rows].join('\n');
  const { columns } = await findKinds([await openSource(new File([csv], 'history.csv'))]);
  return Object.keys(columns).filter((name) => name === header);
}

it.each(NOTHING)('%s says nothing of a row', async (header, cellOf) => {
  expect(await stateOf(header, cellOf)).toEqual([]);
});

it.each(TELLING)('%s may say what becomes of a row', async (header, cellOf) => {
  expect(await stateOf(header, cellOf)).toEqual([header]);
});

/** The end of a course, which planned and running rows have, too: who is done is done on it. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const DONE = '2026-03-02,2026-03-06,Completed';
const RUNNING = '2026-11-02,2026-12-24,In progress';
const PLANNED = '2027-01-04,2027-01-08,Planned';

/** What becomes of the rows that are done, and of those in progress. @param cells start, end and status of each kind, in four rows */
async function outcomes(header: string, cells: readonly string[]) {
  const rows = cells.flatMap((each, at) =>
    [0, 1, 2, 3].map((index) => `p${at}${index}@acme.test,Course ${index % 2},${each}`),
  );
  const file = new File([[`Email,Course,${header}`, ...rows].join('\n')], 'history.csv');
  const { kinds } = await findKinds([await openSource(file, { now: Date.parse('2026-11-27') })]);
  return ['Completed', 'In progress'].map((word) => {
    const own = kinds.findLast(({ values }) => Object.values(values).includes(word));
    return [own?.outcome, own?.date];
  });
}

it.each(['Date fin', 'Fecha fin', 'Kursende', 'Course end', 'Training end date'])(
  '%s: done rows are done on it, running rows have no day',
  async (end) => {
    expect(await outcomes(`Start date,${end},Status`, [DONE, RUNNING, PLANNED])).toEqual([
      ['completed', end],
      ['in_progress', null],
    ]);
  },
);

it.each<readonly [where: string, header: string, cells: readonly string[]]>([
  ['a done row ends later', 'Start date,Date fin,Status', [DONE, RUNNING, '2026-11-02,2026-12-18,Completed']],
  ['a running row has ended', 'Start date,Date fin,Status', [DONE, RUNNING, '2026-03-02,2026-03-06,In progress']],
  ['no column has a start', 'Group,Date fin,Status', [DONE, RUNNING].map((row) => row.replace(/^[^,]*/, 'A'))],
  ['not every row has a start', 'Start date,Date fin,Status', [DONE, RUNNING, RUNNING.replace(/^[^,]*/, '')]],
  ...['Access end', 'Window end', 'Enrolment end', 'Term end', 'Ende der Lizenz', 'Contract end'].map(
    (end) => [`the day is the ${end}`, `Start date,${end},Status`, [DONE, RUNNING, PLANNED]] as const,
  ),
])('done rows are done on another day, or a person is asked, where %s', async (_, header, cells) => {
  const [done] = await outcomes(header, cells);
  expect(header.split(',')).not.toContain(done?.[1]);
});

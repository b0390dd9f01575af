/** Grades in letters or in words beside a result, beside a day of completion, and alone. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const NOW = Date.parse('2026-11-27');

/** The suggestion for the first of several rows. */
async function suggestedFor(header: string, ...rows: readonly string[]) {
  const lines = rows.map((row, index) => `p${index}@acme.test,Statistics,${row}`);
  const csv = [`Email,Course,${header}`, ...lines].join('\n');
  const { kinds } = await findKinds([await openSource(new File([csv], 'x.csv'), { now: NOW })]);
  const kind = kinds.find((each) => each.lines.includes(2));
  return [kind?.outcome, kind?.date ?? kind?.reason?.code];
}

it.each([
  { row: 'D,1,2024-01-02', is: ['certified', 'Exam date'] },
  { row: 'E-,1,2024-01-02', is: ['certified', 'Exam date'] },
  { row: 'F,1,2024-01-02', is: [null, 'word_unknown'] },
  { row: 'F,0,', is: ['leave_out', 'not_passed_on_no_day'] },
  { row: 'H,0,', is: [null, 'word_unknown'] },
])('a grade that agrees with the result says nothing more: $row', async ({ row, is }) => {
  expect(await suggestedFor('Grade,Passed,Exam date', row, 'A,1,2024-01-03', 'B,0,')).toEqual(is);
});

it.each([
  // public export: the certificates of a platform for courses
  { header: 'Grade,Completion Date', row: 'B+,18-01-2025', is: ['completed', 'Completion Date'] },
  { header: 'Grade,Completion Date', row: 'A,18-01-2025', beside: 'F,19-01-2025', is: [null, 'word_unknown'] },
  { header: 'Grade,Completion Date', row: 'D,18-01-2025', is: [null, 'word_unknown'] },
  { header: 'Grade,Completion Date', row: 'A,', is: [null, 'word_unknown'] },
  { header: 'Grade,End date', row: 'A,18-01-2025', is: [null, 'word_unknown'] },
  { header: 'Grade,Exam date', row: 'A,18-01-2025', is: [null, 'word_unknown'] },
])(
  'a good grade like all others adds nothing to a day of completion: $row under $header',
  async ({ header, row, beside, is }) => {
    expect(await suggestedFor(header, row, beside ?? 'C,20-01-2025', 'A-,25-01-2025')).toEqual(is);
  },
);

it.each([
  { header: 'Result,Status', row: 'Excellent,Completed', is: ['completed', 'Completed on'] },
  { header: 'Grade,Status', row: 'sehr gut,Completed', is: ['completed', 'Completed on'] },
  { header: 'Eredmény,Állapot', row: 'kiváló,Teljesítve', is: ['completed', 'Completed on'] },
  { header: 'Eredmény,Állapot', row: 'jó,Folyamatban', is: [null, 'word_unknown'] },
  { header: 'Eredmény,Állapot', row: 'elégtelen,Teljesítve', is: [null, 'word_unknown'] },
  { header: 'Result,Status', row: 'Poor,Completed', is: [null, 'word_unknown'] },
  { header: 'Result,Status', row: 'Not good,Completed', is: [null, 'word_unknown'] },
  { header: 'Result,Status', row: 'Good,Frobnicated', is: [null, 'word_unknown'] },
  { header: 'Verdict,Status', row: 'Good,Completed', is: [null, 'word_unknown'] },
])('a good grade in words adds nothing to a word of a completion: $row under $header', async ({ header, row, is }) => {
  const [grade = '', status = ''] = row.split(',');
  const others = ['Annulled,Completed,2025-01-20', 'Annulled,In progress,', ',Completed,2025-01-20'];
  expect(await suggestedFor(`${header},Completed on`, `${grade},${status},2025-01-18`, ...others)).toEqual(is);
});

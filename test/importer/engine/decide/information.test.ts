/** Only columns that carry information say what becomes of a row. Eighty rows with a status, a day, and a column beside them. Milliseconds. */
import { expect, it } from 'vitest';
import { readingOf } from '../../../../bin/importer/engine/decide/column-facts.ts';
import { openQuestions } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { ColumnProfile } from '../../../../bin/importer/engine/profile/table-profile.ts';
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
const HOURS = ['1', '2', '4', '8', '12', '16'];
/** Each number is beside rows of all states, seven times at most. */
const hours: CellOf = (index) => HOURS[(index >> 2) % HOURS.length] ?? '';
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
  ['I attended the briefing and understood what it says', always('I confirm')],
  ['Trainingsuren', hours],
  ['Lessons viewed', (index) => (isDone(index) ? '10' : String(index % 9))],
  ['Path', evenly('Alpha', 'Beta')],
  ['Delivery', evenly('Online', 'Classroom')],
];
const TELLING: readonly (readonly [header: string, cellOf: CellOf])[] = [
  ['Revoked', evenly('Yes', 'No')],
  ['Valid', evenly('Yes', 'No')],
  ['Valid', always('No')],
  ['Completed', always('No')],
  ['I attended the briefing and understood what it says', always('No')],
  ['I attended the briefing and understood what it says', always('I did not')],
  ['I attended the briefing and understood what it says', evenly('I confirm', 'Later')],
  ['Attended', always('I confirm')],
  ...['Course passed', 'Did you attend the course?', 'Completed all required hours', 'Course certificate valid'].map(
    (header) => [header, ofDone('Yes', 'No')] as const,
  ),
  ['Is suspended', always('Yes')],
  ['Is suspended', evenly('Yes', 'No')],
  ['Result', evenly('Alpha', 'Beta')],
  ['Enrollment Status', evenly('Alpha', 'Beta')],
  ['Outcome', ofDone('Passed', 'Failed')],
  ['Certified', ofDone('Yes', 'No')],
  ['Signed', ofDone('Yes', 'No')],
  ['Dismissed', (index) => (index === 0 ? 'true' : 'false')],
  ['Exempt', (index) => (index === 4 ? 'Yes' : 'No')],
  ['Flag', (index) => (index < 3 ? '1' : '0')],
  // One number is beside completed rows alone; the header speaks of a state; of two, one may be a yes.
  ['Zorbs', (index) => (index < 2 ? '3' : hours(index))],
  ['Status code', hours],
  // Done rows have several numbers, or others have theirs; it may be the number of what is left.
  ['Zorbs', (index) => (isDone(index) ? String(9 + (index % 2)) : String(index % 9))],
  ['Zorbs', (index) => (isDone(index) || index === 2 ? '10' : String(index % 9))],
  ['Zorbs', (index) => (isDone(index) ? '0' : String(1 + (index % 9)))],
  ['Zorbs', (index) => (index < 12 ? '3' : '5')],
  ['Checked', (index) => (isDone(index) && index % 8 < 4 ? 'Yes' : 'No')],
  ['Attendance', (index) => (index % 4 === 3 ? 'Absent' : 'Attended')],
];

/** A row for a learner in one course, unless said otherwise. */
interface Rows {
  readonly learnerOf?: CellOf;
  readonly courseOf?: CellOf;
  readonly statusOf?: CellOf;
}

async function stateOf(
  header: string,
  cellOf: CellOf,
  {
    learnerOf = numbered('p'),
    courseOf = always('Fire Safety'),
    statusOf = (index) => STATUS[index % 4] ?? '',
  }: Rows = {},
): Promise<readonly string[]> {
  const rows = ROWS.map((index) =>
    [
      `${learnerOf(index)}@acme.test`,
      courseOf(index),
      statusOf(index),
      statusOf(index) === 'Completed' ? '2024-01-22' : '',
      cellOf(index),
    ].join(),
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

/** Forty learners in two courses each, in one of which they are done; every eighth learner has another text. */
const TWICE: Rows = {
  learnerOf: (index) => `p${index >> 1}`,
  courseOf: (index) => `Course ${index % 2}`,
  statusOf: (index) => (index % 2 === 0 ? 'Completed' : 'In progress'),
};
const ofLearners =
  (one: string, other: string): CellOf =>
  (index) =>
    index % 16 < 2 ? one : other;
/** Twenty courses of four learners each, of whom half are done; four courses have another text. */
const TWENTY: Rows = {
  courseOf: (index) => `Course ${index >> 2}`,
  statusOf: (index) => (index % 4 < 2 ? 'Completed' : 'In progress'),
};
const ofCourses =
  (one: string, other: string): CellOf =>
  (index) =>
    index < 16 ? one : other;

it.each([
  ['Left-handed', ofLearners('Y', 'N'), TWICE],
  ['Cohort', ofLearners('2', '7'), TWICE],
  ['Half', ofCourses('1', '2'), TWENTY],
  ['Accredited', ofCourses('true', 'false'), TWENTY],
] as const)('%s is the same for a learner or a course whatever the state', async (header, cellOf, rows) => {
  expect(await stateOf(header, cellOf, rows)).toEqual([]);
});

it.each([
  ['a header of a state', 'Valid', ofLearners('Y', 'N'), TWICE],
  ['an end', 'Suspended', ofLearners('Y', 'N'), TWICE],
  ['one row of another text', 'Cohort', (index: number) => (index === 5 ? '2' : ofLearners('2', '7')(index)), TWICE],
  [
    'states that stay the same, too',
    'Cohort',
    ofLearners('2', '7'),
    { ...TWICE, statusOf: (index: number) => STATUS[(index >> 1) % 4] ?? '' },
  ],
  ['a learner a row', 'Cohort', ofLearners('2', '7'), {}],
] as const)('beside %s, a flag or a code may say what becomes of a row', async (_, header, cellOf, rows) => {
  expect(await stateOf(header, cellOf, rows)).toEqual([header]);
});

it.each(['Training Hrs.', 'Liczba punktów'])('%s: numbers that measure something are no state', async (header) => {
  expect(await stateOf(header, ofDone('4', '8'))).toEqual([]);
});

/** The columns of state of a thousand rows, a learner each, that have no day, like those of a public register of students. */
async function statesWithoutDays(header: string, cellOf: (index: number, isPassed: boolean) => string) {
  const rows = Array.from({ length: 2000 }, (_, index) => {
    const result = ['Pass', 'Fail', 'Pass', 'Withdrawn'][Math.floor(index / 100) % 4] ?? '';
    return [`p${index}@acme.test`, 'Statistics', cellOf(index, result === 'Pass'), result].join();
  });
  const csv = [`Email,Course,${header},final_result`, ...rows].join('\n');
  const { columns } = await findKinds([await openSource(new File([csv], 'students.csv'))]);
  return Object.keys(columns);
}

it('a flag that hardly varies with who is done says nothing, also where no day says who is', async () => {
  const ofShare = (passed: number, others: number) => (index: number, isPassed: boolean) =>
    index % 100 < (isPassed ? passed : others) ? 'Y' : 'N';
  expect(await statesWithoutDays('disability', ofShare(18, 24))).toEqual(['final_result']);
  expect(await statesWithoutDays('disability', ofShare(20, 45))).toEqual(['disability', 'final_result']);
  expect(await statesWithoutDays('Valid', ofShare(18, 24))).toEqual(['Valid', 'final_result']);
});

it.each([
  { form: 'years', texts: ['2016/2017', '2017 / 2018'], read: 'text' },
  { form: 'points', texts: ['1999/2010', '2010/2010'], read: 'share' },
])('of $form in two numbers, the cells of a column are read as $read', ({ texts, read }) => {
  const column = new ColumnProfile('session', 'session');
  for (const text of texts) column.add(text);
  expect(readingOf(column, undefined, undefined).read).toBe(read);
});

/** What a person is asked about a file, but for its kinds. */
async function asked(header: string, rowOf: (index: number) => readonly string[]): Promise<readonly unknown[]> {
  const csv = [header, ...ROWS.map((index) => rowOf(index).join())].join('\n');
  const findings = await findKinds([await openSource(new File([csv], 'history.csv'))]);
  return openQuestions(findings).flatMap((question) => (question.about === 'kind' ? [] : question.said));
}

it('numbers up to 1 are fractions where a completed row without a day has 1', async () => {
  const ofRows = (whole: string) =>
    asked('Email,Course,Status,Completion %', (index) => [
      `p${index}@acme.test`,
      'Fire Safety',
      isDone(index) ? 'Completed' : 'In progress',
      isDone(index) ? whole : (['0.5', '0.24'][index % 2] ?? ''),
    ]);
  expect(await ofRows('1')).toEqual([]);
  expect(await ofRows('0.9')).toEqual([expect.objectContaining({ code: 'fractions_are_open' })]);
});

it.each(['Trainer', 'Role', 'Department'])(
  'a %s that differs is no part of a course, the name of a step is',
  async (header) => {
    const ofRows = (name: string) =>
      asked(`Email,Course,Status,Completed on,${name}`, (index) => [
        `p${index >> 1}@acme.test`,
        'Fire Safety',
        'Completed',
        `2024-01-${10 + (index % 16)}`,
        ['Alpha', 'Beta'][index % 2] ?? '',
      ]);
    expect(await ofRows(header)).toEqual([]);
    expect(await ofRows('Step name')).toEqual([expect.objectContaining({ code: 'parts_are_open' })]);
  },
);

/** A public export beside the progress of learners: the states of a country. */
it('of more states than a person would name, none is a status', async () => {
  const ofRows = (states: number) =>
    asked('Email,Course,Progress,State', (index) => [
      `p${index}@acme.test`,
      'Fire Safety',
      ['0 %', '40 %', '100 %'][index % 3] ?? '',
      `Land ${'abcdefghijklmnopqrstuvwxyz'[index % states] ?? ''}`,
    ]);
  expect(await ofRows(25)).toEqual([]);
});

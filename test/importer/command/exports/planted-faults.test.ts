/**
 * Mistakes in a file or a mapping that lose or invent history: each is refused, or named in the preview before anything is
 * imported. The preview of the file without a mistake names nothing. Costs about ten seconds.
 */
import { createPlatform, importFiles } from '../support/platform.ts';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { previewLines } from '../../../../bin/importer/engine/mapping/preview-lines.ts';
import { summaryLines } from '../../../../bin/importer/engine/run/summary.ts';
import type { Mapping } from '../../../../bin/importer/engine/mapping/schema.ts';
import { fileOf } from '../support/files.ts';

const HEADER = 'Id,Email,Course,Progress,Started,Last,Completed,Exam,Score,Taken,Units';
const ROWS = [
  'r1,ben.castillo@acme.test,101,100,2024-01-02,2024-01-31,2024-01-30,Passed,88,2024-01-30,1011;1012',
  'r2,chiara.romano@acme.test,101,40,2024-01-13,2024-02-14,,Not taken,,,1011',
  'r3,grace.mensah@acme.test,102,100,2024-01-15,2024-02-20,2024-02-19,Failed,35,2024-02-19,1021',
  'r4,hana.suzuki@acme.test,103,0,2024-01-15,2024-01-16,,,,,',
];
const RECORD: Mapping['record'] = {
  external_record_id: 'Id',
  'user.email': 'Email',
  'content.platform_course_id': 'Course',
  'progress.completion_pct': 'Progress',
  'progress.started_at': 'Started',
  'progress.last_activity_at': 'Last',
  'progress.completed_at': 'Completed',
  'assessment.status': { column: 'Exam', values: { Passed: 'passed', Failed: 'failed', 'Not taken': 'not_taken' } },
  'assessment.score_pct': 'Score',
  'assessment.taken_at': 'Taken',
};

interface Planted {
  readonly rows?: readonly string[];
  readonly header?: string;
  readonly record?: Readonly<Record<string, unknown>>;
  readonly mapping?: Readonly<Record<string, unknown>>;
}

/** The text that a person sees before the question, or the refusal. */
async function seen({ rows = ROWS, header = HEADER, record = {}, mapping = {} }: Planted): Promise<string> {
  const file = fileOf([header, ...rows].join('\n'));
  const path = file.replace('.csv', '.mapping.json');
  writeFileSync(path, JSON.stringify({ ...mapping, record: { ...RECORD, ...record } }));
  try {
    const { preview, dry, survey } = await importFiles(await createPlatform(), [file], { mapping: path });
    const lines = [
      ...previewLines(preview, { record: { ...RECORD, ...record } } as Mapping),
      ...summaryLines(dry.summary, true),
    ];
    return [`skipped ${survey.skipped}, without progress ${survey.withoutProgress}`, ...lines].join('\n');
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

const changed = (index: number, from: string, to: string): string[] =>
  ROWS.map((row, at) => (at === index ? row.replace(from, to) : row));
const everywhere = (from: RegExp, to: string): string[] => ROWS.map((row) => row.replaceAll(from, to));

describe('previews', () => {
  it('the preview of a file without a mistake has nothing to check, and shows the records to write', async () => {
    const text = await seen({});
    expect(text).not.toContain('please check');
    expect(text).toMatch(
      /4 {2}learners[\s\S]*3 {2}courses[\s\S]*2 {2}completed[\s\S]*1 {2}in progress[\s\S]*1 {2}certified/,
    );
    expect(text).toMatch(/started_at: 2024-01-02 … 2024-01-15[\s\S]*completed_at: 2024-01-30 … 2024-02-19/);
  });
});

describe('mistakes', () => {
  it.each<[string, Planted, RegExp]>([
    [
      'start and completion are swapped',
      { record: { 'progress.started_at': 'Completed', 'progress.completed_at': 'Started' } },
      /started_at is after progress\.completed_at[\s\S]*completed_at: the course is not completed/,
    ],
    [
      'start and last activity are swapped',
      { record: { 'progress.started_at': 'Last', 'progress.last_activity_at': 'Started' } },
      /started_at is after progress\.last_activity_at/,
    ],
    [
      'the date of the exam is the start of something else',
      { record: { 'assessment.taken_at': { constant: '2020-01-01' } } },
      /taken_at is before progress\.started_at/,
    ],
    [
      'the score is taken for the progress',
      { record: { 'progress.completion_pct': 'Score' } },
      /status is passed, although progress\.completion_pct is below 100/,
    ],
    [
      'the progress is taken for the score',
      { record: { 'assessment.score_pct': 'Progress' } },
      /not passed, although assessment\.score_pct is 100/,
    ],
    [
      'the course is taken for the progress',
      { record: { 'progress.completion_pct': 'Course' } },
      /4 {2}invalid_completion_pct/,
    ],
    [
      'an empty percentage becomes 100',
      { record: { 'progress.completion_pct': { column: 'Score', if_filled: 100, if_empty: 100 } } },
      /4 {2}completed/,
    ],
    [
      'otherwise is meant for empty cells',
      {
        rows: changed(1, ',40,', ',,'),
        record: { 'progress.completion_pct': { column: 'Progress', values: { 100: 100 }, otherwise: 50 } },
      },
      /no rule of the mapping names "0"[\s\S]*becomes 50|missing_progress|is required/,
    ],
    [
      'values are empty',
      { record: { 'progress.completion_pct': { column: 'Completed', values: {}, otherwise: 100 } } },
      /refused: [\s\S]*if_filled/,
    ],
    [
      'values name an empty text',
      { record: { 'progress.completion_pct': { column: 'Completed', values: { '': 0 } } } },
      /refused: [\s\S]*if_empty/,
    ],
    [
      'otherwise is alone',
      { record: { 'assessment.status': { column: 'Exam', otherwise: 'passed' } } },
      /refused: [\s\S]*otherwise has no effect/,
    ],
    [
      'a word is passed that is not',
      { record: { 'assessment.status': { column: 'Exam', values: { Passed: 'pased' } } } },
      /refused: [\s\S]*must become passed/,
    ],
    [
      'a learner who failed is certified',
      {
        record: {
          'assessment.status': {
            column: 'Exam',
            values: { Failed: 'passed', Passed: 'passed' },
            otherwise: 'not_taken',
          },
        },
      },
      /passed, although assessment\.score_pct is below 50[\s\S]*no rule of the mapping names "Not taken"/,
    ],
    [
      'a status is not named',
      { rows: changed(0, 'Passed', 'Distinction') },
      /no rule of the mapping names "Distinction" in column "Exam" \(1 row, first on line 2\)/,
    ],
    [
      'certificates have no date',
      { record: { 'assessment.taken_at': undefined } },
      /certified_at: 1 record has no date and would be dated today\. The mapping has nothing for assessment\.taken_at/,
    ],
    [
      'completions have no date',
      { record: { 'progress.completed_at': undefined } },
      /completed_at: 2 records have no date[\s\S]*nothing for progress\.completed_at/,
    ],
    ['starts have no date', { record: { 'progress.started_at': undefined } }, /started_at: 4 records have no date/],
    [
      'the last activity has no date',
      { record: { 'progress.last_activity_at': undefined } },
      /last_activity_at: 4 records have no date/,
    ],
    [
      'one completion has lost its date',
      { rows: changed(2, '2024-02-19,Failed', ',Failed') },
      /completed_at: 1 record has no date/,
    ],
    ['classes have no date', { record: { 'progress.classes': 'Units' } }, /viewed_at: 3 records have no date/],
    [
      'classes are of another course',
      {
        record: { 'progress.classes': { column: 'Units', values: { 1011: 1021, 1012: 1022, 1021: 1011 } } },
        rows: changed(0, '1011;1012', '1011'),
      },
      /class_not_in_course/,
    ],
    [
      'a class has a word for an id',
      { rows: changed(0, '1011;1012', 'Intro'), record: { 'progress.classes': 'Units' } },
      /no rule of the mapping names "Intro" in column "Units"/,
    ],
    [
      'values of classes stand beside JSON',
      { record: { 'progress.classes': { column: 'Units', json: true, values: { a: 1 } } } },
      /refused: [\s\S]*no effect/,
    ],
    [
      'day and month are swapped',
      { rows: everywhere(/2024-(\d\d)-(\d\d)/g, '$2/$1/2024'), mapping: { dates: 'MM/DD/YYYY' } },
      /is not a date like MM\/DD\/YYYY/,
    ],
    [
      'day and month are swapped where both are possible',
      {
        rows: everywhere(/2024-(\d\d)-(\d\d)/g, '2024-0$1-01').map((row) =>
          row.replaceAll(/2024-00?(\d)-01/g, '0$1/11/2026'),
        ),
        mapping: { dates: 'MM/DD/YYYY' },
      },
      /future|2026/,
    ],
    [
      'dates have another format',
      { rows: everywhere(/2024-(\d\d)-(\d\d)/g, '$2.$1.2024') },
      /"02\.01\.2024" in column "Started" \(1 row, first on line 2\) is not a date like iso/,
    ],
    [
      'one date has another format',
      { rows: changed(3, '2024-01-16', '16 Jan 24') },
      /"16 Jan 24" in column "Last" \(1 row, first on line 5\)/,
    ],
    [
      'local times are read as UTC',
      { rows: everywhere(/2024-(\d\d)-(\d\d)/g, '2024-$1-$2 23:30') },
      /times have no zone and are read as UTC/,
    ],
    [
      'local times are read in another zone',
      { rows: everywhere(/2024-(\d\d)-(\d\d)/g, '2024-$1-$2 23:30'), mapping: { time_zone: 'Asia/Tokyo' } },
      /times have no zone and are read as Asia\/Tokyo/,
    ],
    ['years have slipped', { rows: everywhere(/2024-/g, '2042-') }, /a date is in the future \(4 records/],
    [
      'seconds are read as milliseconds',
      { rows: everywhere(/2024-\d\d-\d\d/g, '1706697000'), mapping: { dates: 'epoch_ms' } },
      /a date is before 1990 \(4 records/,
    ],
    [
      'fractions are not scaled',
      { rows: [ROWS[0]?.replace(',100,', ',1,') ?? '', ROWS[1]?.replace(',40,', ',0.4,') ?? ''] },
      /0 {2}completed[\s\S]*passed, although progress\.completion_pct is below 100/,
    ],
    [
      'percentages are scaled',
      { record: { 'progress.completion_pct': { column: 'Progress', scale: 100 } } },
      /invalid_completion_pct/,
    ],
    [
      'a decimal comma is not named',
      { rows: changed(1, ',40,', ',"40,5",') },
      /"40,5" in column "Progress" \(1 row, first on line 3\) is not a number \(decimal point\)/,
    ],
    [
      'an id occurs twice',
      { rows: changed(3, 'r4', 'r1') },
      /line 5: external_record_id "r1" occurs before[\s\S]*on line 2/,
    ],
    [
      'the id is the name of a course',
      { record: { external_record_id: 'Course' } },
      /1 {2}duplicate_external_record_id/,
    ],
    [
      'all records are of one learner',
      { record: { 'user.email': { constant: 'ben.castillo@acme.test' } } },
      /1 {2}learners/,
    ],
    [
      'all records are of one course',
      { record: { 'content.platform_course_id': { constant: 104 } } },
      /1 {2}courses[\s\S]*course 104: 4 records/,
    ],
    [
      'rows are skipped that are records',
      { mapping: { skip: [{ column: 'Exam', is: ['*'] }] } },
      /refused: .*no rows to import|skipped [34]/,
    ],
    [
      'rows of two learners are joined',
      { mapping: { group_by: ['Course'] } },
      /refused: .*line 3.*differ in user\.email/,
    ],
    [
      'a column is missing',
      { header: HEADER.replace('Completed', 'Done') },
      /refused: .*there is no column "Completed"/,
    ],
    ['a column occurs twice', { header: HEADER.replace('Last', 'Started') }, /refused: .*"(Started|Last)"/],
    ['a row has lost a cell', { rows: changed(2, ',102', '') }, /refused: .*line 4.*10 columns/],
    [
      'learners are unknown',
      { rows: everywhere(/acme\.test/g, 'acme.example') },
      /0 {2}learners[\s\S]*4 {2}user_not_found/,
    ],
  ])('the preview or a refusal shows that %s', async (_, planted, named) => {
    expect(await seen(planted)).toMatch(named);
  });
});

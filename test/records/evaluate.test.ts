/** The progress that a record gives in its course: percentage, classes, assessment. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { derivedPct } from '../../functions/records/evaluate.ts';
import { errorTable } from './error-table.ts';
import { inCourse, plan, record, warningsOf } from './fixtures.ts';

const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));
const passed = { assessment: { status: 'passed' } };

/** `code field` of the warnings about progress. */
const DERIVED = 'completion_pct_derived progress.completion_pct';
const ADJUSTED = 'completion_pct_adjusted progress.completion_pct';
const ASSUMED = 'completion_pct_assumed progress.completion_pct';
const IGNORED = 'assessment_ignored assessment';
const FOREIGN = 'class_not_in_course progress.classes';
const TWICE = 'duplicate_class_id progress.classes';

type Row = readonly [reason: string, members: object, completion_pct: number, ...warnings: string[]];

/** A record with these members is applied with this percentage and exactly these warnings about it, in this order. */
function progressTable(rows: readonly Row[]): void {
  it.each(rows.map(([reason, members, pct, ...warnings]) => ({ reason, members, pct, warnings })))(
    'a record is applied with its percentage and warnings: $reason',
    (row) => {
      const planned = plan(record(row.members));
      expect(planned.result.errors).toEqual([]);
      expect(planned.result.progress?.completion_pct).toBe(row.pct);
      const aboutProgress = warningsOf(planned).filter((warning) => !warning.startsWith('date_assumed'));
      expect(aboutProgress).toEqual(row.warnings);
    },
  );
}

const classes = viewed(1001, 1002);

describe('percentages', () => {
  progressTable([
    ['the value sent', { progress: { completion_pct: 33.3 } }, 33.3],
    [
      'the value below 100 that was sent, though the exam is passed',
      { progress: { completion_pct: 80 }, ...passed },
      80,
    ],
    ['100 for a passed exam', { progress: null, ...passed }, 100, ASSUMED],
    ['derived from the class count', { progress: { classes } }, 66.67, DERIVED],
    ['derived if classes are sent, though the exam is passed', { progress: { classes }, ...passed }, 66.67, DERIVED],
    ['0 if no class was viewed', { progress: { classes: [] } }, 0, DERIVED],
    ['100 for a passed exam without a viewed class', { progress: { classes: [] }, ...passed }, 100, ASSUMED],
    [
      '100 for a passed exam with foreign classes',
      { progress: { classes: viewed(5) }, ...passed },
      100,
      ASSUMED,
      FOREIGN,
    ],
    ['0 for foreign classes', { progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['0 in a course without classes', { ...inCourse(103), progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['raised to what the classes imply', { progress: { completion_pct: 50, classes } }, 66.67, ADJUSTED],
    ['the value sent if the classes imply less', { progress: { completion_pct: 90, classes } }, 90],
    ['the value sent if the classes imply the same', { progress: { completion_pct: 66.67, classes } }, 66.67],
  ]);
});

it.each([
  [2, 3, 66.67],
  [1, 6, 16.67],
  [1, 800, 0.13],
  [0, 0, 0],
  [7, 7, 100],
])('derivedPct: %i of %i classes → %f, rounded half up', (count, all, pct) => {
  expect(derivedPct(count, all)).toBe(pct);
});

describe('a missing percentage', () => {
  errorTable([
    ['an empty block', record({ progress: {} }), 'invalid_record progress.completion_pct'],
    ['no block', record({ progress: undefined }), 'missing_progress progress'],
    ['a bad block is not a missing one', record({ progress: { started_at: 5 } }), 'invalid_record progress.started_at'],
  ]);
});

describe('the classes of a record', () => {
  progressTable([
    ['a class listed twice counts once', { progress: { classes: viewed(1001, 1001) } }, 33.33, DERIVED, TWICE],
    [
      'a foreign class listed twice gives both warnings',
      { progress: { classes: viewed(5, 5, 1001) } },
      33.33,
      DERIVED,
      FOREIGN,
      TWICE,
    ],
  ]);

  it('a class listed twice counts by its first entry', () => {
    const classes = [
      { platform_class_id: 1001, viewed_at: '2024-05-01' },
      { platform_class_id: 1001, viewed_at: '2024-01-01' },
    ];
    const { write } = plan(record({ progress: { completion_pct: 50, classes } }));
    expect(write?.contribution.classes).toEqual([{ platform_class_id: 1001, viewed_at: '2024-05-01T00:00:00.000Z' }]);
  });

  it('one warning names all the classes concerned: the first 10, the rest counted', () => {
    const foreign = Array.from({ length: 14 }, (_, position) => 10 + position);
    const [warning] = plan(record({ progress: { completion_pct: 50, classes: viewed(...foreign) } })).result.warnings;
    expect(warning?.message).toContain('19 and 4 more');
    expect(warning?.message).not.toContain('20');
  });
});

describe('a course without an exam', () => {
  progressTable([
    ['the assessment is ignored', { ...inCourse(102), ...passed }, 50, IGNORED],
    ['it is ignored whatever its status', { ...inCourse(102), assessment: { status: 'not_taken' } }, 50, IGNORED],
    ['an assessment that is null was not sent', { ...inCourse(102), assessment: null }, 50],
    ['the classes count', { ...inCourse(102), progress: { classes }, ...passed }, 66.67, IGNORED, DERIVED],
  ]);
});

describe('problems of an assessment', () => {
  const without = (members: object) => record({ progress: undefined, ...members });
  errorTable([
    [
      'a bad assessment leaves completion open',
      without({ assessment: { status: 'x' } }),
      'invalid_record assessment.status',
    ],
    ['passed in a course with an exam needs no progress', without(passed)],
    ['failed needs progress', without({ assessment: { status: 'failed' } }), 'missing_progress progress'],
    ['passed, without an exam, needs progress', without({ ...inCourse(102), ...passed }), 'missing_progress progress'],
    [
      'an ignored assessment must still be well-formed',
      record({ ...inCourse(102), assessment: { status: 'passed', score_pct: -1 } }),
      'invalid_record assessment.score_pct',
    ],
  ]);
});

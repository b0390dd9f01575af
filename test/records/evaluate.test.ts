/** What a record says about its course: percentage, classes, assessment, and the warnings about them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { byFirstEntry, derivedPct, evaluateProgress } from '../../functions/records/evaluate.ts';
import { parseRecord } from '../../functions/records/parse.ts';
import { errorTable } from './error-table.ts';
import {
  IMPORTED_AT,
  inCourse,
  NATIVE,
  plan,
  record,
  stored,
  warningsOf,
  WITH_EXAM,
  WITHOUT_EXAM,
} from './fixtures.ts';

const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));
const DERIVED = 'completion_pct_derived progress.completion_pct';
const ADJUSTED = 'completion_pct_adjusted progress.completion_pct';
const ASSUMED = 'completion_pct_assumed progress.completion_pct';
const IGNORED = 'assessment_ignored assessment';
const FOREIGN = 'class_not_in_course progress.classes';
const TWICE = 'duplicate_class_id progress.classes';
const passed = { assessment: { status: 'passed' } };

describe('evaluateProgress', () => {
  const evaluate = (members: object, course = WITH_EXAM) => evaluateProgress(parseRecord(record(members), 0), course);

  it('returns percentage, viewed classes and assessment', () => {
    const members = {
      progress: { completion_pct: 80, classes: viewed(1001, 5) },
      assessment: { status: 'passed', score_pct: 90 },
    };
    expect(evaluate(members)).toEqual({
      problems: [],
      progress: {
        completion_pct: 80,
        viewed: [{ platform_class_id: 1001 }],
        assessment: { status: 'passed', score_pct: 90 },
        warnings: [expect.objectContaining({ warning_code: 'class_not_in_course' })],
      },
    });
  });

  it('leaves the assessment out where the course has no exam', () => {
    expect(evaluate(passed, WITHOUT_EXAM).progress?.assessment).toBeUndefined();
  });

  it('reports where there is no percentage', () => {
    const { problems, progress } = evaluate({ progress: null });
    expect(problems).toMatchObject([{ error_code: 'missing_progress', field: 'progress' }]);
    expect(progress).toBeUndefined();
  });

  it('evaluates nothing where progress or assessment is malformed', () => {
    expect(evaluate({ progress: { completion_pct: 101 } })).toEqual({ problems: [] });
    expect(evaluate({ progress: null, assessment: { status: 'x' } })).toEqual({ problems: [] });
  });
});

type Row = [reason: string, members: object, completion_pct: number, ...warnings: string[]];
const table = (rows: Row[]) =>
  it.each(rows.map(([reason, members, pct, ...warnings]) => ({ reason, members, pct, warnings })))('$reason', (row) => {
    const planned = plan(record(row.members));
    expect(planned.result.errors).toEqual([]);
    expect(planned.result.progress?.completion_pct).toBe(row.pct);
    expect(warningsOf(planned)).toEqual(row.warnings);
  });

describe('completion_pct', () => {
  const classes = viewed(1001, 1002);
  table([
    ['the value sent', { progress: { completion_pct: 33.3 } }, 33.3],
    [
      'an explicit value below 100 stays as sent though the exam is passed',
      { progress: { completion_pct: 80 }, ...passed },
      80,
    ],
    ['100 for a passed exam', { progress: null, ...passed }, 100, ASSUMED],
    ['100 for a passed exam, with an empty progress block', { progress: {}, ...passed }, 100, ASSUMED],
    ['100 for a passed exam, with classes that are null', { progress: { classes: null }, ...passed }, 100, ASSUMED],
    ['derived where classes are sent, though the exam is passed', { progress: { classes }, ...passed }, 66.67, DERIVED],
    ['no class viewed derives 0, though the exam is passed', { progress: { classes: [] }, ...passed }, 0, DERIVED],
    [
      'the value sent, raised, though the exam is passed',
      { progress: { completion_pct: 0, classes }, ...passed },
      66.67,
      ADJUSTED,
    ],
    [
      'all classes viewed and the exam passed',
      { progress: { classes: viewed(1001, 1002, 1003) }, ...passed },
      100,
      DERIVED,
    ],
    ['derived from the class count', { progress: { classes } }, 66.67, DERIVED],
    ['derived where the exam is failed', { progress: { classes }, assessment: { status: 'failed' } }, 66.67, DERIVED],
    ['no class viewed derives 0', { progress: { classes: [] } }, 0, DERIVED],
    ['foreign classes derive nothing', { progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['a course without classes derives 0', { ...inCourse(103), progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['classes imply more than was sent', { progress: { completion_pct: 50, classes } }, 66.67, ADJUSTED],
    ['classes imply less than was sent', { progress: { completion_pct: 90, classes } }, 90],
    ['classes imply what was sent', { progress: { completion_pct: 66.67, classes } }, 66.67],
    ['without an exam the assessment is ignored', { ...inCourse(102), ...passed }, 50, IGNORED],
    ['ignored whatever its status', { ...inCourse(102), assessment: { status: 'not_taken' } }, 50, IGNORED],
    ['ignored even if empty', { ...inCourse(102), assessment: {} }, 50, IGNORED],
    ['an assessment that is null was not sent', { ...inCourse(102), assessment: null }, 50],
    ['ignored, the classes count', { ...inCourse(102), progress: { classes }, ...passed }, 66.67, IGNORED, DERIVED],
  ]);

  it('classes that are malformed derive nothing and assume nothing', () => {
    const sent = record({ progress: { classes: [{ platform_class_id: '1001' }] }, ...passed });
    expect(plan(sent).result).toMatchObject({ status: 'error', warnings: [], progress: null });
  });

  it('a passed exam with some of the classes is certified, not completed', () => {
    const taken_at = '2024-05-05';
    const sent = record({ progress: { classes }, assessment: { status: 'passed', taken_at } });
    expect(plan(sent).result.progress).toMatchObject({
      approved_course: 1,
      certified_at: '2024-05-05T00:00:00.000Z',
      completed_at: null,
    });
  });

  it('a course completed by its classes has a date of completion', () => {
    const sent = record({ progress: { classes: viewed(1001, 1002, 1003) }, ...passed });
    expect(plan(sent).result.progress?.completed_at).toBe(IMPORTED_AT);
  });

  it('organic progress above the derived percentage is kept, with a warning', () => {
    const native = { ...NATIVE, completion_pct: 90, classes: [] };
    const planned = plan(record({ progress: { classes }, ...passed }), stored({ native }));
    expect(warningsOf(planned)).toEqual([DERIVED, 'native_progress_kept progress']);
    expect(planned.result.progress?.completion_pct).toBe(90);
  });

  it.each([
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 6, 16.67],
    [1, 800, 0.13],
    [3, 800, 0.38],
    [1, 1, 100],
    [0, 0, 0],
    [7, 7, 100],
  ])('%i of %i classes derive %f, rounded half up', (count, all, pct) => {
    expect(derivedPct(count, all)).toBe(pct);
  });
});

describe('a missing percentage', () => {
  errorTable([
    ['null counts as absent', record({ progress: { completion_pct: null } }), 'invalid_record progress.completion_pct'],
    ['an empty block', record({ progress: {} }), 'invalid_record progress.completion_pct'],
    ['no block', record({ progress: undefined }), 'missing_progress progress'],
    ['a block that is null is no block', record({ progress: null }), 'missing_progress progress'],
    ['a bad block is not a missing one', record({ progress: { started_at: 5 } }), 'invalid_record progress.started_at'],
  ]);
});

describe('assessment', () => {
  errorTable([
    [
      'a bad assessment leaves completion open',
      record({ progress: undefined, assessment: { status: 'x' } }),
      'invalid_record assessment.status',
    ],
    [
      'an unknown course leaves completion open',
      record({ ...inCourse(999), progress: {} }),
      'course_not_in_catalog content.platform_course_id',
    ],
    ['passed in a course with an exam needs no progress', record({ progress: undefined, ...passed })],
    [
      'failed needs progress',
      record({ progress: undefined, assessment: { status: 'failed' } }),
      'missing_progress progress',
    ],
    ['no status needs progress', record({ progress: undefined, assessment: {} }), 'missing_progress progress'],
    [
      'passed in a course without an exam needs progress',
      record({ ...inCourse(102), progress: undefined, ...passed }),
      'missing_progress progress',
    ],
    [
      'an ignored assessment must still be well-formed',
      record({ ...inCourse(102), assessment: { status: 'passed', score_pct: -1 } }),
      'invalid_record assessment.score_pct',
    ],
  ]);
});

describe('classes', () => {
  table([
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

  it('a first entry without a date keeps a later one with a date out', () => {
    const classes = [{ platform_class_id: 1001 }, { platform_class_id: 1001, viewed_at: '2024-01-01' }];
    expect(plan(record({ progress: { completion_pct: 50, classes } })).write?.contribution.defaulted_classes).toEqual([
      1001,
    ]);
  });

  it('a foreign class listed twice is named once', () => {
    const { warnings } = plan(record({ progress: { completion_pct: 50, classes: viewed(77, 77) } })).result;
    for (const { message } of warnings) expect(message.match(/77/g)).toHaveLength(1);
  });

  it('one warning names all the classes concerned: the first 10, the rest counted', () => {
    const foreign = Array.from({ length: 14 }, (_, position) => 10 + position);
    const [warning] = plan(record({ progress: { completion_pct: 50, classes: viewed(...foreign) } })).result.warnings;
    expect(warning?.message).toContain('19 and 4 more');
    expect(warning?.message).not.toContain('20');
  });
});

it('byFirstEntry keeps the first entry of each class and names the repeated ones once', () => {
  const [first, second, again] = [
    { platform_class_id: 7, viewed_at: '2024-05-01T00:00:00.000Z' },
    { platform_class_id: 3 },
    { platform_class_id: 7 },
  ];
  expect(byFirstEntry([first, second, again, again])).toEqual({ distinct: [first, second], duplicates: [7] });
});

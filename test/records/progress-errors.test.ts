import { describe, expect, it } from 'vitest';
import { errorTable } from './error-table.ts';
import { inCourse, plan, record } from './fixtures.ts';

const inProgress = (members: object) => ({ progress: { completion_pct: 50, ...members } });
const withClass = (entry: unknown) => inProgress({ classes: [{ platform_class_id: 1001 }, entry] });
const passed = (members: object = {}) => ({ assessment: { status: 'passed', ...members } });

describe('progress', () => {
  const pct = (completion_pct: unknown) => record(inProgress({ completion_pct }));
  const date = 'invalid_date_format progress.';
  errorTable([
    ['0 and 100 are in range', pct(0)],
    ['100', pct(100)],
    ['above 100', pct(100.01), 'invalid_completion_pct progress.completion_pct'],
    ['below 0', pct(-0.01), 'invalid_completion_pct progress.completion_pct'],
    ['not finite', pct(Number.POSITIVE_INFINITY), 'invalid_completion_pct progress.completion_pct'],
    ['text', pct('50'), 'invalid_record progress.completion_pct'],
    ['null counts as absent', pct(null), 'invalid_record progress.completion_pct'],
    ['an empty block', record({ progress: {} }), 'invalid_record progress.completion_pct'],
    ['no block', record({ progress: undefined }), 'missing_progress progress'],
    ['a block that is null is no block', record({ progress: null }), 'missing_progress progress'],
    ['a bad block is not a missing one', record({ progress: { started_at: 5 } }), 'invalid_record progress.started_at'],
    [
      'dates that do not exist',
      record(inProgress({ started_at: '2024-02-30', last_activity_at: '', completed_at: 'x' })),
      `${date}started_at`,
      `${date}last_activity_at`,
      `${date}completed_at`,
    ],
    ['a date that is a number', record(inProgress({ started_at: 1709285400 })), 'invalid_record progress.started_at'],
    ['classes that are no array', record(inProgress({ classes: {} })), 'invalid_record progress.classes'],
    ['a class that is no object', record(withClass(1001)), 'invalid_record progress.classes.1'],
    ['a class that is an array', record(withClass([])), 'invalid_record progress.classes.1'],
    ['a class that is null', record(withClass(null)), 'invalid_record progress.classes.1'],
    ['a class without an id', record(withClass({})), 'invalid_record progress.classes.1.platform_class_id'],
    [
      'a class id that is text',
      record(withClass({ platform_class_id: '1' })),
      'invalid_record progress.classes.1.platform_class_id',
    ],
    [
      'a class id below 0',
      record(withClass({ platform_class_id: -1 })),
      'invalid_record progress.classes.1.platform_class_id',
    ],
    [
      'viewed_at that is no date',
      record(withClass({ platform_class_id: 1002, viewed_at: 'x' })),
      `${date}classes.1.viewed_at`,
    ],
    [
      'viewed_at that is no text',
      record(withClass({ platform_class_id: 1002, viewed_at: 5 })),
      'invalid_record progress.classes.1.viewed_at',
    ],
  ]);

  it('of many bad classes the first 10 are named and the rest counted', () => {
    const { errors } = plan(
      record(inProgress({ classes: Array.from({ length: 25 }, () => ({ viewed_at: 'x' })) })),
    ).result;
    expect(errors).toHaveLength(2 * 10 + 1);
    expect(errors.at(-1)).toMatchObject({ error_code: 'invalid_record', field: 'progress.classes' });
    expect(errors.at(-1)?.message).toContain('15');
  });
});

const assessment = (members: object) => record({ assessment: members });

describe('assessment', () => {
  errorTable([
    ['an unknown status', assessment({ status: 'PASSED' }), 'invalid_record assessment.status'],
    ['a status that is a number', assessment({ status: 1 }), 'invalid_record assessment.status'],
    ['score_pct out of range', assessment({ score_pct: 101 }), 'invalid_record assessment.score_pct'],
    ['score_pct that is text', assessment({ score_pct: '9' }), 'invalid_record assessment.score_pct'],
    ['taken_at that is no date', assessment({ taken_at: 'x' }), 'invalid_date_format assessment.taken_at'],
    [
      'a bad assessment leaves completion unjudged',
      record({ progress: undefined, assessment: { status: 'x' } }),
      'invalid_record assessment.status',
    ],
    [
      'an unknown course leaves completion unjudged',
      record({ ...inCourse(999), progress: {} }),
      'course_not_in_catalog content.platform_course_id',
    ],
    ['passed in a course with an exam needs no progress', record({ progress: undefined, ...passed() })],
    [
      'failed needs progress',
      record({ progress: undefined, assessment: { status: 'failed' } }),
      'missing_progress progress',
    ],
    ['no status needs progress', record({ progress: undefined, assessment: {} }), 'missing_progress progress'],
    [
      'passed in a course without an exam needs progress',
      record({ ...inCourse(102), progress: undefined, ...passed() }),
      'missing_progress progress',
    ],
    [
      'an ignored assessment must still be well-formed',
      record({ ...inCourse(102), ...passed({ score_pct: -1 }) }),
      'invalid_record assessment.score_pct',
    ],
  ]);
});

/** The assessment of a record: counted, ignored, malformed. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { errorTable } from './error-table.ts';
import { inCourse, plan, record } from './fixtures.ts';
import { DERIVED, IGNORED, passed, progressTable, viewed } from './progress-table.ts';

const classes = viewed(1001, 1002);

describe('a course without an exam', () => {
  progressTable([
    ['the assessment is ignored', { ...inCourse(102), ...passed }, 50, IGNORED],
    ['it is ignored whatever its status', { ...inCourse(102), assessment: { status: 'not_taken' } }, 50, IGNORED],
    ['it is ignored even if empty', { ...inCourse(102), assessment: {} }, 50, IGNORED],
    ['an assessment that is null was not sent', { ...inCourse(102), assessment: null }, 50],
    ['the classes count', { ...inCourse(102), progress: { classes }, ...passed }, 66.67, IGNORED, DERIVED],
  ]);
});

it('a passed exam with some of the classes certifies the course and does not complete it', () => {
  const sent = record({ progress: { classes }, assessment: { status: 'passed', taken_at: '2024-05-05' } });
  expect(plan(sent).result.progress).toMatchObject({
    approved_course: 1,
    certified_at: '2024-05-05T00:00:00.000Z',
    completed_at: null,
  });
});

describe('problems of an assessment', () => {
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

/** The percentage of a record: sent, derived, assumed, or missing. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { derivedPct } from '../../functions/records/evaluate.ts';
import { errorTable } from './error-table.ts';
import { IMPORTED_AT, inCourse, NATIVE, plan, record, stored, warningsOf } from './fixtures.ts';
import { ADJUSTED, ASSUMED, DERIVED, FOREIGN, passed, progressTable, viewed } from './progress-table.ts';

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
    ['100 for a passed exam, with an empty progress block', { progress: {}, ...passed }, 100, ASSUMED],
    ['100 for a passed exam, with classes that are null', { progress: { classes: null }, ...passed }, 100, ASSUMED],
    ['derived from the class count', { progress: { classes } }, 66.67, DERIVED],
    ['derived if classes are sent, though the exam is passed', { progress: { classes }, ...passed }, 66.67, DERIVED],
    ['derived if the exam is failed', { progress: { classes }, assessment: { status: 'failed' } }, 66.67, DERIVED],
    ['0 if no class was viewed', { progress: { classes: [] } }, 0, DERIVED],
    ['100 for a passed exam without a viewed class', { progress: { classes: [] }, ...passed }, 100, ASSUMED],
    [
      '100 for a passed exam with foreign classes',
      { progress: { classes: viewed(5) }, ...passed },
      100,
      ASSUMED,
      FOREIGN,
    ],
    ['the value sent, without a viewed class', { progress: { completion_pct: 0, classes: [] }, ...passed }, 0],
    ['0 for foreign classes', { progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['0 in a course without classes', { ...inCourse(103), progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['100 if all classes are viewed', { progress: { classes: viewed(1001, 1002, 1003) }, ...passed }, 100, DERIVED],
    ['raised to what the classes imply', { progress: { completion_pct: 50, classes } }, 66.67, ADJUSTED],
    ['raised though the exam is passed', { progress: { completion_pct: 0, classes }, ...passed }, 66.67, ADJUSTED],
    ['the value sent if the classes imply less', { progress: { completion_pct: 90, classes } }, 90],
    ['the value sent if the classes imply the same', { progress: { completion_pct: 66.67, classes } }, 66.67],
  ]);
});

it('malformed classes derive nothing and assume nothing', () => {
  const sent = record({ progress: { classes: [{ platform_class_id: '1001' }] }, ...passed });
  expect(plan(sent).result).toMatchObject({ status: 'error', warnings: [], progress: null });
});

it('a course completed by its classes has a date of completion', () => {
  const sent = record({ progress: { classes: viewed(1001, 1002, 1003) }, ...passed });
  expect(plan(sent).result.progress?.completed_at).toBe(IMPORTED_AT);
});

it('organic progress above the derived percentage is kept, with a warning', () => {
  const native = { ...NATIVE, completion_pct: 90, classes: [] };
  const planned = plan(record({ progress: { classes } }), stored({ native }));
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
])('derivedPct: %i of %i classes → %f, rounded half up', (count, all, pct) => {
  expect(derivedPct(count, all)).toBe(pct);
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

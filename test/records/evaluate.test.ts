/** The progress that a record gives in its course. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { evaluateProgress } from '../../functions/records/evaluate.ts';
import { parseRecord } from '../../functions/records/parse.ts';
import { record, WITH_EXAM, WITHOUT_EXAM } from './fixtures.ts';
import { passed, viewed } from './progress-table.ts';

describe('evaluateProgress', () => {
  const evaluate = (members: object, course = WITH_EXAM) => evaluateProgress(parseRecord(record(members), 0), course);

  it('a valid record → percentage, viewed classes, assessment and warnings', () => {
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

  it('course without an exam → without the assessment', () => {
    expect(evaluate(passed, WITHOUT_EXAM).progress?.assessment).toBeUndefined();
  });

  it('no percentage → a problem', () => {
    const { problems, progress } = evaluate({ progress: null });
    expect(problems).toMatchObject([{ error_code: 'missing_progress', field: 'progress' }]);
    expect(progress).toBeUndefined();
  });

  it('malformed progress or assessment → nothing', () => {
    expect(evaluate({ progress: { completion_pct: 101 } })).toEqual({ problems: [] });
    expect(evaluate({ progress: null, assessment: { status: 'x' } })).toEqual({ problems: [] });
  });
});

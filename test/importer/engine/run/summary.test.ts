import { describe, expect, it } from 'vitest';
import { SummaryBuilder } from '../../../../bin/importer/engine/run/summary.ts';
import { resultOf } from '../../command/support/imports.ts';

type Code = 'user_not_found' | 'course_not_in_catalog' | 'missing_progress';
const failing = (index: number, message: string, error_code: Code = 'user_not_found') => ({
  records: [resultOf(index, `r-${index}`, { error_code, field: 'user.email', message })],
});

describe('SummaryBuilder', () => {
  const ends = [
    [failing(0, 'late'), { position: 1, lines: [700] }],
    [failing(1, 'first'), { position: 0, lines: [2, 3] }],
    [failing(0, 'after it'), { position: 2, lines: [1200] }],
    [failing(0, 'none', 'missing_progress'), { position: 3, lines: [1300] }],
    [failing(0, 'a', 'course_not_in_catalog'), { position: 4, lines: [1400] }],
  ] as const;

  it('a summary is the same in whichever order the imports end: the most frequent reasons first, the first message of each', () => {
    for (const order of [ends, ends.toReversed()]) {
      const builder = new SummaryBuilder('rows');
      for (const [ended, places] of order) builder.add(ended, places);
      const examples = Object.entries(builder.summary().examples);
      expect(examples.map(([code, { line, error }]) => [code, line, error.message])).toEqual([
        ['user_not_found', 3, 'first'],
        ['course_not_in_catalog', 1400, 'a'],
        ['missing_progress', 1300, 'none'],
      ]);
    }
  });

  it('an example names its file if there are several', () => {
    const builder = new SummaryBuilder('rows');
    builder.add(failing(0, 'nobody'), { position: 0, file: 'a.csv', lines: [2] });
    expect(builder.summary().examples).toMatchObject({ user_not_found: { file: 'a.csv', line: 2 } });
  });
});

import { describe, expect, it } from 'vitest';
import { SummaryBuilder, summaryLines } from '../../../../bin/importer/engine/run/summary.ts';
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
      expect(Object.entries(builder.summary().examples)).toEqual([
        ['user_not_found', 'line 3: first'],
        ['course_not_in_catalog', 'line 1400: a'],
        ['missing_progress', 'line 1300: none'],
      ]);
      expect(summaryLines(builder.summary(), false)).toContain('    line 3: first');
    }
  });

  it('an example names its file if there are several', () => {
    const builder = new SummaryBuilder('rows');
    builder.add(failing(0, 'nobody'), { position: 0, file: 'a.csv', lines: [2] });
    expect(builder.summary().examples).toEqual({ user_not_found: 'a.csv, line 2: nobody' });
  });
});

it('a second dry run says how many records would change', () => {
  const lines = (outcomes: readonly ('applied' | 'updated' | 'unchanged' | null)[]): string => {
    const builder = new SummaryBuilder('rows');
    builder.add(
      { records: outcomes.map((outcome, index) => ({ ...resultOf(index, null), outcome })) },
      { position: 0, lines: [] },
    );
    return summaryLines(builder.summary(), true).find((line) => line.includes('would change')) ?? '';
  };
  expect(lines(['unchanged', 'unchanged'])).toBe('0 of 2 rows would change: the file and the platform agree.');
  expect(lines(['unchanged', null])).toBe('0 of 2 rows would change: all that is not rejected is on the platform.');
  expect(lines(['applied', 'updated', 'unchanged'])).toBe('2 of 3 rows would change.');
});

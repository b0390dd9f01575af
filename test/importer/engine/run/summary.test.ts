import { describe, expect, it } from 'vitest';
import type { Import } from '../../../../bin/importer/client/index.ts';
import { SummaryBuilder, summaryLines } from '../../../../bin/importer/engine/run/summary.ts';

const failing = (index: number, message: string): Pick<Import, 'records'> => ({
  records: [
    {
      index,
      external_record_id: `r-${index}`,
      outcome: null,
      status: 'error',
      progress: null,
      errors: [{ error_code: 'user_not_found' as const, field: 'user.email', message }],
      warnings: [],
    },
  ],
});

describe('SummaryBuilder', () => {
  const ends = [
    [failing(0, 'late'), { position: 1, lines: [700] }],
    [failing(1, 'first'), { position: 0, lines: [2, 3] }],
    [failing(0, 'after it'), { position: 2, lines: [1200] }],
  ] as const;

  it('a summary shows the first message of each reason in the order of the file, in whichever order the imports end', () => {
    for (const order of [ends, ends.toReversed()]) {
      const builder = new SummaryBuilder();
      for (const [ended, places] of order) builder.add(ended, places);
      expect(builder.summary().examples).toEqual({ user_not_found: 'line 3: first' });
      expect(summaryLines(builder.summary(), false)).toContain('    line 3: first');
    }
  });

  it('an example names its file if there are several', () => {
    const builder = new SummaryBuilder();
    builder.add(failing(0, 'nobody'), { position: 0, file: 'a.csv', lines: [2] });
    expect(builder.summary().examples).toEqual({ user_not_found: 'a.csv, line 2: nobody' });
  });
});

it('a second dry run says how many records would change', () => {
  const lines = (outcomes: readonly ('applied' | 'updated' | 'unchanged' | null)[]): string => {
    const builder = new SummaryBuilder();
    const records = outcomes.map((outcome, index) => ({ index, outcome, errors: [], warnings: [] }));
    builder.add({ records: records as never });
    return summaryLines(builder.summary(), true).find((line) => line.includes('would change')) ?? '';
  };
  expect(lines(['unchanged', 'unchanged'])).toBe('0 of 2 rows would change: the file and the platform agree.');
  expect(lines(['unchanged', null])).toBe('0 of 2 rows would change: all that is not rejected is on the platform.');
  expect(lines(['applied', 'updated', 'unchanged'])).toBe('2 of 3 rows would change.');
});

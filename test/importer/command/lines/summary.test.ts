/** What an import ends with at the terminal. Milliseconds. */
import { expect, it } from 'vitest';
import { examplesInWords, summaryLines } from '../../../../bin/importer/command/lines/summary.ts';
import { say } from '../../../../bin/importer/engine/ground/codes.ts';
import { SummaryBuilder } from '../../../../bin/importer/engine/run/summary.ts';
import { resultOf } from '../support/imports.ts';

it('each reason has an example, with its place, in the words of the service or of the engine', () => {
  const message = 'There is no user nobody@x.test.';
  const error = { error_code: 'user_not_found', field: 'user.email', message } as const;
  const builder = new SummaryBuilder('rows');
  builder.add({ records: [resultOf(0, 'r-0', error)] }, { position: 0, file: 'a.csv', lines: [3] });
  const said = say('row_incomplete', { what: 'course' });
  const entry = { record: {}, row: { line: 4 } };
  builder.addUnsent([{ entry, error: { error_code: 'invalid_record', said } }], { position: 0 });
  const second =
    'line 4: The row has no course. Fill it in, and import the row again. If it is a title or a total, delete it.';
  expect(examplesInWords(builder.summary().examples)).toEqual({
    user_not_found: `a.csv, line 3: ${message}`,
    invalid_record: second,
  });
  expect(summaryLines(builder.summary(), false)).toContain(`    ${second}`);
});

it('says what is archived apart from what is rejected, so that the numbers add up', () => {
  const message = '';
  const records = [
    resultOf(0, 'r-0'),
    { ...resultOf(1, 'r-1', { error_code: 'user_not_found', message }), archived: true as const },
    resultOf(2, 'r-2', { error_code: 'invalid_record', message }),
  ];
  const builder = new SummaryBuilder('rows');
  builder.add({ records }, { position: 0, lines: [2, 3, 4] });
  expect(summaryLines(builder.summary(), true).slice(0, 6)).toEqual([
    '3 rows',
    '          1  would be applied',
    '          0  would be updated',
    '          0  would stay unchanged',
    '          1  would be rejected',
    '          1  would be kept in the archive',
  ]);
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
  expect(lines(['unchanged', null])).toBe(
    '0 of 2 rows would change: every row that was not rejected is already on the platform.',
  );
  expect(lines(['applied', 'updated', 'unchanged'])).toBe('2 of 3 rows would change.');
});

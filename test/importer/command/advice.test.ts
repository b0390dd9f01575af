/** What the terminal adds to the sentences of the engine. Milliseconds. */
import { expect, it } from 'vitest';
import { inWords, saidInWords } from '../../../bin/importer/command/advice.ts';
import { say } from '../../../bin/importer/engine/ground/codes.ts';
import { refusalAt } from '../../../bin/importer/engine/ground/errors.ts';

it('advice follows its sentence, also where that is within another', () => {
  const refused = refusalAt('history.csv', { line: 3, column: 1 }, 'row_may_be_title', {
    columns: 1,
    header: 4,
    text: 'Grand total',
  });
  expect(inWords(refused)).toBe(
    'history.csv, line 3, column 1: the row has 1 columns, the header has 4. If "Grand total" is a title or a total, add to the mapping: "skip": [{ "column": "#1", "is": ["Grand total"] }].',
  );
});

it('advice that goes on with the sentence takes the place of its point', () => {
  expect(saidInWords(say('not_utf8', {}))).toMatch(/Save the file as UTF-8, or name its --encoding\.$/);
  expect(saidInWords(say('sheet_hidden', {}))).toBe('it is hidden; import it with --sheet');
});

it('an error of any other kind is said by its message', () => {
  expect(inWords(new Error('the disk is full'))).toBe('the disk is full');
});

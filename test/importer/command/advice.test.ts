/** What the terminal adds to the sentences of the engine. Milliseconds. */
import { expect, it } from 'vitest';
import { inWords, saidInWords } from '../../../bin/importer/command/advice.ts';
import { type Said, say } from '../../../bin/importer/engine/ground/codes.ts';
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

it('a column that is not found is named by the option of its field', () => {
  const lacking = { path: 'a.csv', line: 1, columns: ['Who', 'What'] };
  const of = (problem: Said) => saidInWords(say('columns_refused', { ...lacking, problem }));
  const columns = 'The columns are "Who", "What".';
  expect(of(say('no_column_for', { field: 'content.platform_course_id' }))).toBe(
    `a.csv, line 1: no column for content.platform_course_id was recognised. Name it with --course-column. ${columns}`,
  );
  expect(of(say('no_such_column', { column: 'Ids' }))).toBe(`a.csv, line 1: there is no column "Ids". ${columns}`);
  expect(saidInWords(say('members_refused', { path: 'a.json', problem: say('no_column_of_people', {}) }))).toBe(
    'a.json: no column of people was recognised. Name it with --id-column or --email-column: in a JSON file they name its members.',
  );
});

it('an error of any other kind is said by its message', () => {
  expect(inWords(new Error('the disk is full'))).toBe('the disk is full');
});

/** Texts of one mebibyte of any one character in the functions that compare or take patterns apart. Costs a second. */
import { describe, expect, it } from 'vitest';
import { convertDate, dateFormatProblem } from '../../../bin/importer/engine/dates/date-format.ts';
import { datePartOf, isNeverText, withDate } from '../../../bin/importer/engine/dates/date-forms.ts';
import { meaningOf } from '../../../bin/importer/engine/lexicon/words.ts';
import { datePattern } from '../../../bin/importer/engine/dates/date-pattern.ts';
import { titleOf } from '../../../bin/importer/engine/match/title.ts';
import { numberText } from '../../../bin/importer/engine/read/spreadsheet/number-format.ts';

const MEBIBYTE = 2 ** 20;
const CHARACTERS = ['a', 'A', 'é', '0', ' ', '"', '[', '(', '-', '.', '%', '_', '\\', '\n', 'a ', 'a-', '1.'];

describe.each<[string, (text: string) => unknown]>([
  ['titleOf', titleOf],
  ['numberText', (text) => numberText(text, false)('1')],
  ['datePattern', (text) => datePattern(text).matcher.test(text)],
  ['dateFormatProblem', dateFormatProblem],
  ['isNeverText', isNeverText],
  ['datePartOf', datePartOf],
  ['meaningOf', meaningOf],
  ['classOf', (text) => withDate(text)],
  ['convertDate', (text) => convertDate(text, ['iso', 'DD/MM/YYYY', text])],
])('%s', (name, run) => {
  it(`${name}: a text of one mebibyte → an answer within a second of processor time, whatever its character is`, () => {
    const costs = CHARACTERS.map((character) => {
      const text = character.repeat(MEBIBYTE / character.length);
      const before = process.cpuUsage();
      run(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    expect(Math.max(...costs)).toBeLessThan(1_000_000);
  });
});

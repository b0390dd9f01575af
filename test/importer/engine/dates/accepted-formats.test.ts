/** Every date format that a mapping may have reads any text of a hundred characters at once. Costs a second. */
import { expect, it } from 'vitest';
import { convertDate, dateFormatProblem } from '../../../../bin/importer/engine/dates/date-format.ts';
import { cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';

const TOKENS = 'YYYY YY GGGG MMMM MMM MM M DDDD DD Do D dddd WW E HH H hh h mm SSS ss A Z'.split(' ');
const BETWEEN = ['', '', ' ', '[ ]', '[ ]'.repeat(20), ' [ ] ', '-', '.', '[a]', '[0]', '\t'];

function formatOf(dice: Dice): string {
  const tokens = Array.from({ length: 3 + dice.below(6) }, () => dice.pick(TOKENS));
  return tokens.map((token) => token + dice.pick(BETWEEN)).join('');
}

/** What many tokens share, over and over, and an end that fits none. */
function textOf(dice: Dice): string {
  const start = dice.pick(['', '2020', '2020-', '1.', 'Mon ']);
  const filling = dice.pick([' ', 'a', '0', '.', '-', 'a ', 'a/', '1 ', 'Mon', 'é', '\u0301', "a'"]);
  return (start + filling.repeat(100)).slice(0, 99) + dice.pick(['x', '!', '0', ' ']);
}

/** Milliseconds of processor time of one text: the best of three, because others use the machine, too. */
function cost(text: string, format: string): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    convertDate(text, format);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

/** Names of letters beside each other, which share a text in many ways. */
const OF_LETTERS = ['ddddMMMMZDDYYYY', 'MMMMddddZDDYYYY', 'dddd[a]MMMM[a]Z[a]DDYYYY', 'ZddddMMMMDDYYYY'];

it('no accepted format takes over a millisecond of processor time for a text of 100 characters', () => {
  const dice = new Dice(FIRST_SEED, 61);
  const texts = Array.from({ length: 20 }, () => textOf(dice));
  const hostile = ['2020', '', '202001'].flatMap((start) =>
    [' ', 'a', 'a/', 'a '].map((filling) => `${(start + filling.repeat(99)).slice(0, 99)}!`),
  );
  const drawn = Array.from({ length: cases(20_000, 4000) }, () => formatOf(dice));
  const accepted = [`YYYY${'[ ]'.repeat(20)}MM-DD`, ...OF_LETTERS, ...drawn].filter(
    (format) => dateFormatProblem(format) === undefined,
  );
  expect(accepted.length).toBeGreaterThan(100);
  const slow = accepted.flatMap((format) =>
    [...hostile, ...texts].filter((text) => cost(text, format) > 1).map((text) => [format, text]),
  );
  expect(slow).toEqual([]);
});

it('neighbouring blanks of a format are any blanks of a text', () => {
  expect(convertDate('2020   05-06', `YYYY${'[ ]'.repeat(20)} MM-DD`)).toBe('2020-05-06');
});

import { convertDate } from './date-format.ts';

/** How texts of a column seem to be written, judged by a sample of them. */

const DATE_FORMATS = [
  'iso',
  'epoch_ms',
  'epoch',
  'DD/MM/YYYY HH:mm',
  'DD/MM/YYYY',
  'D/M/YYYY',
  'D/M/YYYY H:mm',
  'M/D/YYYY',
  'M/D/YYYY H:mm',
  'M/D/YY',
  'MM/DD/YYYY hh:mm A',
  'M/D/YYYY h:mm A',
  'DD.MM.YYYY',
  'DD.MM.YYYY HH:mm',
  'DD-MM-YYYY',
  'DD-MM-YYYY HH:mm',
  'D MMMM YYYY',
  'D MMMM YYYY, h:mm A',
  'dddd, D MMMM YYYY, h:mm A',
  'dddd, D MMMM YYYY',
  'MMM D, YYYY',
  'D MMM YYYY',
];
const DAY_FIRST = /^D/;
const MONTH_FIRST = /^M\/|^MM\//;

export interface DateGuess {
  readonly format: string | undefined;
  /** Days and months could be either way round in every sample. */
  readonly ambiguous: boolean;
}

export function guessDates(samples: readonly string[]): DateGuess {
  const fitting =
    samples.length === 0 ? [] : DATE_FORMATS.filter((format) => samples.every((text) => fits(text, format)));
  const [format] = fitting;
  const ambiguous = fitting.some((each) => DAY_FIRST.test(each)) && fitting.some((each) => MONTH_FIRST.test(each));
  return { format, ambiguous };
}

/** Any number is some moment; one that is meant as a date lies in our time. */
function fits(text: string, format: string): boolean {
  const date = convertDate(text, format, undefined);
  if (date === undefined) return false;
  if (!format.startsWith('epoch')) return true;
  const year = new Date(date).getUTCFullYear();
  return year >= 1990 && year <= 2100;
}

/** Shares of one: everything between 0 and 1, and something in between. */
export function guessScale(samples: readonly string[]): 100 | undefined {
  const numbers = samples.map((text) => Number(text.replace(',', '.')));
  const isShare = numbers.length > 0 && numbers.every((number) => number >= 0 && number <= 1);
  return isShare && numbers.some((number) => number > 0 && number < 1) ? 100 : undefined;
}

export function guessDecimal(samples: readonly string[]): ',' | undefined {
  return samples.some((text) => /^\d+,\d+\s*%?$/.test(text)) ? ',' : undefined;
}

const PASSED =
  /^(pass|passed|passing|yes|y|true|1|completed.?passed|complete|completed|satisfied|aprobado|bestanden)$/i;
const FAILED = /^(fail|failed|failing|no|n|false|0|completed.?failed|suspenso|nicht bestanden)$/i;
const NOT_TAKEN = /^(not.?taken|not.?attempted|not.?started|incomplete|browsed|unknown|in.?progress|-)$/i;

/** The interface's words for the ones found; those that are not understood are left out. */
export function guessStatuses(samples: readonly string[]): Record<string, string> {
  const distinct = [...new Set(samples)];
  return Object.fromEntries(
    distinct.flatMap((text) => {
      if (PASSED.test(text)) return [[text, 'passed']];
      if (FAILED.test(text)) return [[text, 'failed']];
      return NOT_TAKEN.test(text) ? [[text, 'not_taken']] : [];
    }),
  );
}

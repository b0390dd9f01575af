/** Reads a cell of a state column: its class, and its value where an outcome may need it. */
import { ownValue } from '../ground/own-value.ts';
import { convertValue, type Notation, plainNumber, scaled } from '../dates/convert-value.ts';
import { datePartOf, isNeverDate, isNeverText, isNothing, isOtherCalendar, withDate } from '../dates/date-forms.ts';
import { comparable } from '../ground/text-pattern.ts';
import { remembered } from '../ground/remembered.ts';
import { isNotDone, meaningOf } from '../lexicon/words.ts';
import type { KindValues, StateColumn } from './findings.ts';

export interface ReadText {
  readonly is: string;
  /** A percentage, or a date in ISO 8601. */
  readonly value?: number | string;
}

export interface ReadCell extends ReadText {
  /** `is` in the form in which kinds are compared. */
  readonly key: string;
}

/** @param notation the decimal sign and the time zone of the mapping, with the formats of this column */
export function cellReader(column: StateColumn, notation: Notation): (cell: string) => ReadCell {
  const reader = textReader(column, notation);
  return remembered((cell) => {
    const read = reader(cell.trim());
    return { ...read, key: comparable(read.is) };
  });
}

/** The same of a trimmed text, for who remembers more of it. */
export function textReader({ read, scale = 1 }: StateColumn, notation: Notation): (text: string) => ReadText {
  const readers: Record<StateColumn['read'], (text: string) => ReadText> = {
    text: textOf,
    dated: (text) => datedOf(text, notation),
    counted: countedOf,
    percent: (text) =>
      percentOf(isNothing(text) ? undefined : (plainNumber(text, notation.decimal) ?? Number.NaN), scale),
    share: shareOf,
    mark: (text) => markOf(text, notation),
    date: (text) => dateOf(text, notation),
    number: (text) => (plainNumber(text, notation.decimal) === undefined ? textOf(text) : { is: A_NUMBER }),
  };
  return readers[read];
}

/** The class of an empty cell is a word that a cell may have, too. */
function textOf(text: string): ReadText {
  if (text === '') return { is: 'empty' };
  const shown = text.replaceAll(/\s+/g, ' ');
  return { is: comparable(shown) === 'empty' ? `"${shown}"` : shown };
}

export const A_NUMBER = 'a number';

/** A date that cannot be true is named in the place of the date. */
function datedOf(text: string, notation: Notation): ReadText {
  const part = datePartOf(text);
  if (part === undefined) return textOf(text);
  const { is, value } = dateOf(part, notation);
  const words = textOf(withDate(text, value === undefined ? is : 'date'));
  return value === undefined ? words : { ...words, value };
}

/** A percentage with letters beside it. */
const PERCENT_PART = /(?<![\d.,])(\d{1,3}(?:[.,]\d+)?)\s*%/;
export const isCounted = (text: string): boolean =>
  text.length <= MOST_COUNTED && PERCENT_PART.test(text) && /\p{L}/u.test(text);
/** Longer texts are prose. */
const MOST_COUNTED = 60;

export const withPercent = (text: string, is = ''): string => text.replace(PERCENT_PART, is);

function countedOf(text: string): ReadText {
  const [, number = ''] = isCounted(text) ? (PERCENT_PART.exec(text) ?? []) : [];
  if (number === '') return textOf(text);
  const { is, value } = percentOf(Number(number.replace(',', '.')), 1);
  const words = textOf(withPercent(text, `${is} %`));
  return value === undefined ? words : { ...words, value };
}

/** The class of the percentage of a cell; `undefined` if its column has none. */
export const percentIn = ({ read }: Pick<StateColumn, 'read'>, is: string): string | undefined => {
  if (read === 'percent' || read === 'share') return is;
  return read === 'counted' ? COUNTED.exec(is)?.[1] : undefined;
};
const COUNTED = /\b(0|between|100|above|no number) %/;
export const withoutPercent = (is: string): string => is.replace(COUNTED, '');

function percentOf(number: number | undefined, scale: number): ReadText {
  if (number === undefined) return { is: 'none' };
  const value = scaled(number, scale);
  if (Number.isNaN(value) || value < 0) return { is: 'no number' };
  if (value > 100) return { is: 'above', value };
  return { is: value === 0 || value === 100 ? String(value) : 'between', value };
}

/** Words between the numbers have blanks around them: `1h20` and `1:20` are times. */
const SHARE = /^(\d{1,9})(?:\s*\/\s*|\s+\p{L}{1,12}\s+)(\d{1,9})(?:\s+\p{L}[\p{L} ]{1,30})?$/u;
/** A day whose month is named in a language that no list has, like `5 Mawrth 2024`. */
const NAMED_DAY = /^\d{1,2}\s+\p{L}+\s+(?:19|20)\d\d$/u;
/** A school year, like `2017/2018`. */
const YEARS = /^((?:19|20)\d\d)\s*\/\s*((?:19|20)\d\d)$/;
const isYears = (text: string): boolean => {
  const [, first, second] = YEARS.exec(text) ?? [];
  return Number(second) === Number(first) + 1;
};
export const isShare = (text: string): boolean => SHARE.test(text) && !NAMED_DAY.test(text) && !isYears(text);

function shareOf(text: string): ReadText {
  if (isNothing(text)) return { is: 'none' };
  const [, part, whole] = SHARE.exec(text) ?? [];
  if (part === undefined || whole === undefined) return { is: 'no number' };
  if (Number(whole) === 0) return { is: 'none' };
  const { is, value } = percentOf((Number(part) / Number(whole)) * 100, 1);
  const rounded = Math.round(Number(value) * 100) / 100;
  // What is not whole is never rounded to it.
  return { is, value: is === 'between' ? Math.min(99.99, Math.max(0.01, rounded)) : rounded };
}

/** A score and its pass mark. */
function markOf(text: string, { decimal }: Notation): ReadText {
  const slash = text.lastIndexOf('/');
  const [score, mark] = [text.slice(0, Math.max(0, slash)).trim(), text.slice(slash + 1).trim()];
  if (isNothing(score)) return { is: 'none' };
  const above = (plainNumber(score, decimal) ?? Number.NaN) - (plainNumber(mark, decimal) ?? Number.NaN);
  if (Number.isNaN(above)) return { is: 'no number' };
  return { is: above >= 0 ? REACHED : BELOW };
}

export const REACHED = 'pass mark reached';
export const BELOW = 'below the pass mark';

function dateOf(text: string, notation: Notation): ReadText {
  if (isNothing(text)) return { is: 'empty' };
  const date = convertValue(text, 'date', notation);
  if (date !== undefined && isOtherCalendar(String(date))) return { is: 'impossible' };
  if (isNeverText(text) || (date !== undefined && isNeverDate(String(date)))) return { is: 'never' };
  if (date !== undefined) return { is: 'a date', value: date };
  return meaningOf(text) === undefined ? notDoneOf(text) : textOf(text);
}

/** `Booked 02/01/27` in place of a date is a word of what is not done; `Completed 02/01/24` may be a date that nobody can read. */
function notDoneOf(text: string): ReadText {
  const words = datePartOf(text) === undefined ? '' : withDate(text, 'date');
  return isNotDone(meaningOf(words)) ? textOf(words) : { is: 'impossible' };
}

/** The form in which kinds are compared: in the order of the columns, letter case aside. */
export const kindKey = (classes: readonly string[]): string => classes.map(comparable).join('\u{0}');

/** The same kind: of the same columns, in any order. */
export const isSameKind = (a: KindValues, b: KindValues): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, is]) => comparable(is) === comparable(ownValue(b, name) ?? ''));

/** Reads a cell of a state column: its class, and its value where an outcome may need it. */
import { convertDate } from '../mapping/date-format.ts';
import { type Notation, plainNumber } from '../mapping/convert-value.ts';
import { datePartOf, withDate } from '../mapping/date-forms.ts';
import { comparable } from '../mapping/text-pattern.ts';
import { isNeverDate, isNeverText, isNothing } from './never.ts';
import type { StateColumn } from './types.ts';

export interface ReadCell {
  readonly is: string;
  /** A percentage, or a date in ISO 8601. */
  readonly value?: number | string;
}

type ReadText = (cell: string) => ReadCell;

/** Statuses, days and percentages repeat: most cells are read once. */
const MOST_REMEMBERED = 5000;

/** @param notation the decimal sign and the time zone of the mapping, with the formats of this column */
export function cellReader({ read, scale = 1 }: StateColumn, notation: Notation): ReadText {
  const readers: Record<StateColumn['read'], ReadText> = {
    text: textOf,
    dated: (text) => datedOf(text, notation),
    percent: (text) =>
      percentOf(isNothing(text) ? undefined : (plainNumber(text, notation.decimal) ?? Number.NaN), scale),
    share: (text) => shareOf(text),
    date: (text) => dateOf(text, notation),
  };
  const reader = readers[read];
  const known = new Map<string, ReadCell>();
  return (cell) => {
    const found = known.get(cell);
    if (found !== undefined) return found;
    const value = reader(cell.trim());
    if (known.size < MOST_REMEMBERED) known.set(cell, value);
    return value;
  };
}

/** The class of an empty cell is a word that a cell may have, too. */
function textOf(text: string): ReadCell {
  if (text === '') return { is: 'empty' };
  const shown = text.replaceAll(/\s+/g, ' ');
  return { is: comparable(shown) === 'empty' ? `"${shown}"` : shown };
}

/** A date that cannot be true is named in the place of the date. */
function datedOf(text: string, notation: Notation): ReadCell {
  const part = datePartOf(text);
  if (part === undefined) return textOf(text);
  const { is, value } = dateOf(part, notation);
  const words = textOf(withDate(text, value === undefined ? is : 'date'));
  return value === undefined ? words : { ...words, value };
}

function percentOf(number: number | undefined, scale: number): ReadCell {
  if (number === undefined) return { is: 'none' };
  // Scaling must not show binary rounding: 0.07 is 7, not 7.000000000000001.
  const value = Number((number * scale).toPrecision(12));
  if (Number.isNaN(value) || value < 0) return { is: 'no number' };
  if (value > 100) return { is: 'above', value };
  return { is: value === 0 || value === 100 ? String(value) : 'between', value };
}

const SHARE = /^(\d{1,9})\s*(?:\/|:|\p{L}{1,12})\s*(\d{1,9})$/u;
export const isShare = (text: string): boolean => SHARE.test(text);

function shareOf(text: string): ReadCell {
  if (isNothing(text)) return { is: 'none' };
  const [, part, whole] = SHARE.exec(text) ?? [];
  if (part === undefined || whole === undefined) return { is: 'no number' };
  if (Number(whole) === 0) return { is: 'none' };
  const { is, value } = percentOf((Number(part) / Number(whole)) * 100, 1);
  const rounded = Math.round(Number(value) * 100) / 100;
  // What is not whole is never rounded to it.
  return { is, value: is === 'between' ? Math.min(99.99, Math.max(0.01, rounded)) : rounded };
}

function dateOf(text: string, { dates, reading }: Notation): ReadCell {
  if (isNothing(text)) return { is: 'empty' };
  const date =
    convertDate(text, dates, reading) ??
    (/^\d{4}-\d{2}-\d{2}/.test(text) ? convertDate(text, 'iso', reading) : undefined);
  if (date === undefined) return { is: isNeverText(text) ? 'never' : 'impossible' };
  return isNeverDate(date) || isNeverText(text) ? { is: 'never' } : { is: 'a date', value: date };
}

/** The form in which kinds are compared: in the order of the columns, letter case aside. */
export const kindKey = (classes: readonly string[]): string => classes.map(comparable).join('\u{0}');

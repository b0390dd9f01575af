import { type Said, say } from '../ground/codes.ts';
import { remembered } from '../ground/remembered.ts';
import { asciiDigits, convertDate, type DateReading, isNamedFormat } from './date-format.ts';
import { otherYear } from './date-pattern.ts';
import { type FieldKind, STATUSES } from '../ground/fields.ts';

/** How the cells of a column write dates and numbers. */
export interface Notation {
  readonly dates: string | readonly string[];
  readonly reading: DateReading;
  readonly decimal: ',' | '.';
  /** Numbers are multiplied by it: 100 for fractions of one. */
  readonly scale: number;
}

/** Converts the text of a cell to the value that the interface wants; `undefined` if it does not fit. */
export function convertValue(text: string, kind: FieldKind, notation: Notation): string | number | undefined {
  if (kind === 'number' || kind === 'percentage') return toNumber(text, notation);
  if (kind === 'id') return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  if (kind === 'date') return toDate(text, notation);
  if (kind === 'email') return bareAddress(text);
  return kind === 'status' ? toStatus(text) : text;
}

/** `Ana <ana@x.test>` and `mailto:ana@x.test` are `ana@x.test`. */
export const bareAddress = (text: string): string =>
  /[<:]/.test(text) ? text.replace(/^[^<>@]*<([^<>]+)>$/, '$1').replace(/^mailto:/i, '') : text;

/**
 * Placeholder dates become empty. Dates of a spreadsheet are ISO already; `dates` are the formats of texts. One column may have dates
 * with and without a time, and years of two and of four digits.
 */
function toDate(text: string, { dates, reading }: Notation): string | undefined {
  return (
    convertDate(text, dates, reading) ??
    (/^\d{4}-\d{2}-\d{2}/.test(text) ? convertDate(text, 'iso', reading) : convertDate(text, besides(dates), reading))
  );
}

const besides = (dates: Notation['dates']): readonly string[] => [dates].flat().flatMap(besidesOf);

const besidesOf = remembered((format): readonly string[] => {
  if (isNamedFormat(format)) return [];
  const [day = ''] = format.split(/,? \(?\[?[Hh]/, 1);
  const days = [day, otherYear(day) ?? []].flat();
  return ['', ' H:mm', ' H:mm:ss', ' h:mm A', ' h:mm:ss A'].flatMap((time) => days.map((each) => each + time));
});

/** What values of this kind are. */
export function expectedOf(kind: FieldKind, { dates, decimal }: Notation): Said {
  if (kind === 'date') return say('a_date', { formats: [dates].flat() });
  if (kind === 'id') return say('a_whole_number', {});
  return kind === 'status' ? say('one_of', { values: STATUSES }) : say('a_number', { decimal });
}

function toNumber(text: string, { decimal, scale }: Notation): number | undefined {
  const number = plainNumber(text, decimal);
  return number === undefined ? undefined : scaled(number, scale);
}

/** Scaling must not show binary rounding: 0.07 is 7, not 7.000000000000001. */
export const scaled = (number: number, scale: number): number =>
  Number.isInteger(number * scale) ? number * scale : Number((number * scale).toPrecision(12));

/** A number as it is written, with or without `%`; `undefined` for another text. */
export function plainNumber(text: string, decimal: ',' | '.'): number | undefined {
  const bare = asciiDigits(text)
    .replaceAll(/[\s\u{a0}]/gu, '')
    .replace(/^%|%$/, '');
  const plain = decimal === ',' ? bare.replace(',', '.') : bare;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** The percentage, to two decimals, that a number is of another. */
export function shareOf(part: number | undefined, whole: number | undefined): number | undefined {
  if (part === undefined || whole === undefined || whole <= 0) return undefined;
  return Math.round((part / whole) * 10_000) / 100;
}

/** `Passed` and `Not taken` are words of the interface in another spelling. */
function toStatus(text: string): string | undefined {
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return STATUSES.find((status) => status === word);
}

/** The forms in which exports write dates, to find those of a column. */
import { remembered } from '../ground/remembered.ts';
import { convertDate } from './date-format.ts';
import { datePattern } from './date-pattern.ts';
import { isZone } from './time-zone.ts';
import formats from '../lexicon/formats.json' with { type: 'json' };
import { LANGUAGES } from '../lexicon/languages.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { meaningOf } from '../lexicon/words.ts';

const ofLanguages = Object.values(LANGUAGES).map(({ dates = {} }) => dates);
const DAYS = [...formats.days, ...ofLanguages.flatMap(({ days = [] }) => days)];
const TIMES = [...formats.times, ...ofLanguages.flatMap(({ times = [] }) => times)];

const NUMBER_FORMATS: readonly string[] = ['epoch_ms', 'epoch', 'epoch_us', 'epoch_ns', 'excel'];
export const PLAIN_FORMATS: readonly string[] = ['iso', ...NUMBER_FORMATS];
/** Its dates are bare numbers, as ids and counts are. */
export const isNumberFormat = (format: string): boolean => NUMBER_FORMATS.includes(format);

const ZONED = TIMES.filter((time) => time !== '' && !time.includes('[')).map((time) => `${time} Z`);

/** Patterns that are tried, by what is behind the day: one that fits every value of a column is its format. */
const PATTERNS: readonly { readonly time: string; readonly formats: readonly string[] }[] = [
  ...[...TIMES, ...ZONED].map((time) => ({ time, formats: DAYS.map((day) => day + time) })),
  // The last is a date of XML schema, as web services write it: 2024-01-02-08:00.
  { time: '', formats: ['YYYY-MM-DD Z', 'YYYY-MM-DD HH:mm Z', 'YYYY-MM-DD HH:mm:ss Z', 'YYYY-MM-DDZ'] },
];

const MOST_DATE = 100;
/** A year of four digits, or one of two behind a day and a month. */
const HAS_YEAR = /\d{4}|\d[/.]\d{1,2}[/.]\d{2}|\d-[^\s\d-]+-\d{2}|\d ?\p{L}{3,9}\.? ?\d{2}|\d{2}年/u;

/** Spares most columns the patterns: the shortest date is `1/2/21`, none is an ISO date without a zone. */
export const mayFitPattern = (text: string): boolean =>
  text.length >= 6 &&
  text.length <= MOST_DATE &&
  HAS_YEAR.test(text) &&
  /\d/.test(text) &&
  /\D/.test(text) &&
  !/^\d{4}-\d\d-\d\d(?:T\S+)?$/.test(text);

/** The patterns that have the form of a text: of a thousand a few. */
export const patternsOf = (text: string): readonly string[] => patternsOfForm(text.replaceAll(/\d/g, '0'));

/** A form is a text with zeros for its digits: a pattern asks for digits, not for certain ones. */
const patternsOfForm = remembered((form) =>
  PATTERNS.flatMap(({ time, formats }) =>
    endOf(time).test(form) ? formats.filter((format) => datePattern(format).matcher.test(form)) : [],
  ),
);

/** Spares most texts most patterns, of which each has to be compiled. */
const endOf = remembered((time) => new RegExp(datePattern(time).matcher.source.replace('^', ''), 'u'));

/** Any number is a valid epoch or serial day, so only those from 1995 to 2060 count as dates. */
export function fits(text: string, format: string): boolean {
  const date = convertDate(text, format);
  // Seven digits are more likely the number of a person than a year with the number of a day.
  if (date === undefined || /^\d{7}$/.test(text)) return false;
  const year = Number(date.slice(0, 4));
  return !isNumberFormat(format) || (year >= 1995 && year <= 2060);
}

/** Longer texts are prose. */
const MOST_DATED = 120;
const DATE_PART =
  /(?<![\d/.-])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)|\d{1,2}\.? ?\p{L}{3,9}\.? \d{4}|\p{L}{3,9}\.? \d{1,2},? \d{4})(?:[ T,]+\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?)?(?![\d/])/iu;
/** Behind a time: an offset, or letters or words in brackets, which are a zone unless known as something else. */
const BEHIND_TIME = /^\s?(?:[+-]\d\d:?\d\d|[([][\p{L}\s]+[)\]]|\p{L}{1,5})(?![\p{L}\d])/u;

/** The date of a text that has letters beside it, or nothing; with its zone. A time in an unknown zone gives nothing. */
export const datePartOf = (text: string): string | undefined => {
  const found = text.length > MOST_DATED ? null : DATE_PART.exec(text);
  if (found === null) return undefined;
  const [day] = found;
  const zone = zoneBehind(day, text.slice(found.index + day.length));
  const part = zone === undefined ? undefined : day + zone;
  return part !== undefined && /\p{L}|^\s*$/u.test(text.replace(part, '')) ? part : undefined;
};

/** Empty without a zone; `undefined` for one that is not known. */
function zoneBehind(day: string, text: string): string | undefined {
  const [behind = ''] = /:/.test(day) ? (BEHIND_TIME.exec(text) ?? []) : [];
  const zone = behind.trim();
  if (zone === '' || saysTopic(zone.toLowerCase(), 'clock') || meaningOf(zone) !== undefined) return '';
  return isZone(zone) ? behind : undefined;
}

/** `Completed (2024-01-02)` → `Completed (date)`. */
export const withDate = (text: string, is = 'date'): string => {
  const part = datePartOf(text);
  return part === undefined ? text : text.replace(part, is);
};

/** Dates that mean "never": the zero of a system, in any notation: `0`, `0000-00-00 00:00:00`, `00/00/0000`. */
const ZEROS = /^[\s.,/:T-]*0[0\s.,/:TZ-]*$/;
const YEAR = /(?<!\d)(\d{4})(?!\d)/;

/** The days around the epoch, in any time zone. */
const EPOCH_DAYS: ReadonlySet<string> = new Set(['1969-12-31', '1970-01-01']);
/** 0001 of .NET, 1601 of Windows, 1753 of SQL Server, 1899 and 1900 of spreadsheets; 9999, 2999 and 2099 are ends of calendars. */
const isNeverYear = (year: number): boolean => year <= 1901 || year >= 2090;

/** A year of the Persian, the Islamic or the Buddhist calendar: no date that is read here. */
export const isOtherCalendar = (date: string): boolean => /^(1[34]\d\d|25\d\d)/.test(date);

/** A text with which exports fill an empty cell. */
export const isNothing = (text: string): boolean =>
  text === '' || saysTopic(text.toLowerCase(), 'nothing') || saysTopic(text.toLowerCase(), 'no_date');

/** A text that means never before it is read as a date, also where no calendar has it, like `1900-01-00`. */
export function isNeverText(text: string): boolean {
  if (ZEROS.test(text) || saysTopic(text.toLowerCase(), 'never')) return true;
  const year = YEAR.exec(text)?.[1];
  return year !== undefined && isNeverYear(Number(year)) && !isOtherCalendar(year);
}

/** @param date ISO 8601, as it was read */
export const isNeverDate = (date: string): boolean =>
  isNeverYear(Number(/^[+-]?\d+/.exec(date)?.[0])) || EPOCH_DAYS.has(date.slice(0, 10));

/** Fewer may be so by chance. */
const LEAST_DAYS = 6;

/** `25/12/23`, where few numbers stand first, as years do, and many last, as days do: nobody knows which is which. */
export function mayBeginWithYears(texts: readonly string[]): boolean {
  const parts = texts.flatMap((text) => [...text.matchAll(/^(\d\d)\/\d\d\/(\d\d)\b/g)]);
  const [years, days] = [1, 2].map((at) => new Set(parts.map((part) => part[at])).size);
  return days !== undefined && years !== undefined && days >= LEAST_DAYS && days > years * 2;
}

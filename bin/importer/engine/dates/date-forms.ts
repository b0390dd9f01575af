/** The forms in which exports write dates, to find those of a column. */
import { remembered } from '../ground/remembered.ts';
import { convertDate } from './date-format.ts';
import { datePattern } from './date-pattern.ts';
import { isZone } from './time-zone.ts';
import { meaningOf } from '../lexicon/words.ts';

const listed = (...groups: readonly string[]): string[] => groups.flatMap((group) => group.split('|'));

const DAYS = listed(
  'D/M/YYYY|M/D/YYYY|D.M.YYYY|D-M-YYYY|M-D-YYYY|D/M/YY|M/D/YY|D.M.YY',
  'D MMMM YYYY|D. MMMM YYYY|D [de] MMMM [de] YYYY|dddd, D MMMM YYYY|dddd, D. MMMM YYYY|dddd, D [de] MMMM [de] YYYY|dddd D MMMM YYYY',
  'MMMM D, YYYY|dddd, MMMM D, YYYY|MMMM D YYYY|MMMM Do, YYYY|D-MMM-YYYY|D-MMM-YY|D MMM YY|DDMMMYY|DDMMMYYYY|MMM-D-YYYY',
  'YYYY/M/D|YYYY.M.D|YYYY[年]M[月]D[日]|YYYY[년] M[월] D[일]|YYYY. M. D.|YYYY.M.D.|D.M.YYYY.|D. M. YYYY|D. M. YYYY.|D MMM. YYYY',
);
const TIMES = listed(
  '| H:mm| H:mm:ss| h:mm A| h:mm:ss A|, H:mm|, H:mm:ss|, h:mm A|, h:mm:ss A| - H:mm| H.mm| [klo] H.mm| [kl.] H.mm',
  ', HH:mm [Uhr]|, H:mm [Uhr]| H:mm [Uhr]| [um] H:mm [Uhr]| [à] H[h]mm| H[h]mm| [à] H:mm| [a las] H:mm| [alle] H:mm| [om] H:mm',
);

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
const HAS_YEAR = /\d{4}|\d[/.]\d{1,2}[/.]\d{2}|\d-[^\s\d-]+-\d{2}|\d ?\p{L}{3,9}\.? ?\d{2}/u;

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
  // Seven digits are the number of somebody sooner than a year with the number of a day.
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
const CLOCK = /^(h|hrs?|uhr)$/i;

/** The date of a text that has letters beside it, or nothing; with its zone. A time in a zone that nobody knows is none. */
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
  if (zone === '' || CLOCK.test(zone) || meaningOf(zone) !== undefined) return '';
  return isZone(zone) ? behind : undefined;
}

/** `Completed (2024-01-02)` → `Completed (date)`. */
export const withDate = (text: string, is = 'date'): string => {
  const part = datePartOf(text);
  return part === undefined ? text : text.replace(part, is);
};

/** Dates that mean "never": the zero of a system, in any notation: `0`, `0000-00-00 00:00:00`, `00/00/0000`. */
const ZEROS = /^[0\s.,/:T-]*0[0\s.,/:TZ-]*$/;
const WORDS = /^(never|nie|niemals|jamais|nunca|mai|nooit|nigdy|aldrig|aldri|никогда|未)$/i;
/** Texts with which exports fill an empty cell. */
const NOTHING =
  /^(-+|–|—|&[mn]dash;|&nbsp;|n\/a|n\.a\.|na|null|none|nil|nan|nat|#n\/a|\\n|undefined|\(blank\)|\(empty\))$/i;
const YEAR = /(?<!\d)(\d{4})(?!\d)/;

/** The days around the epoch, in any time zone. */
const EPOCH_DAYS: ReadonlySet<string> = new Set(['1969-12-31', '1970-01-01']);
/** 0001 of .NET, 1601 of Windows, 1753 of SQL Server, 1899 and 1900 of spreadsheets; 9999, 2999 and 2099 are ends of calendars. */
const isNeverYear = (year: number): boolean => year <= 1901 || year >= 2090;

/** A year of the Persian, the Islamic or the Buddhist calendar: no date that is read here. */
export const isOtherCalendar = (date: string): boolean => /^(1[34]\d\d|25\d\d)/.test(date);

export const isNothing = (text: string): boolean => text === '' || NOTHING.test(text);

/** A text that means never before it is read as a date, also where no calendar has it, like `1900-01-00`. */
export function isNeverText(text: string): boolean {
  if (ZEROS.test(text) || WORDS.test(text)) return true;
  const year = YEAR.exec(text)?.[1];
  return year !== undefined && isNeverYear(Number(year)) && !isOtherCalendar(year);
}

/** @param date ISO 8601, as it was read */
export const isNeverDate = (date: string): boolean =>
  isNeverYear(Number(/^[+-]?\d+/.exec(date)?.[0])) || EPOCH_DAYS.has(date.slice(0, 10));

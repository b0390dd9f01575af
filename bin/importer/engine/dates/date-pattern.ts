/** Patterns of dates, like `DD/MM/YYYY HH:mm`: the texts that fit, and their parts. */
import { type Said, say } from '../ground/codes.ts';
import { remembered } from '../ground/remembered.ts';

/** No name of a month, a day or a zone is longer: three beside each other share a long text in few ways. */
const LETTERS = String.raw`([\p{L}][\p{L}\p{M}'’]{0,23})\.?`;

/** Longer tokens first, where one begins with another. */
const TOKENS = [
  ['YYYY', String.raw`(\d{4})`, 'year'],
  ['YY', String.raw`(\d{2})`, 'shortYear'],
  ['GGGG', String.raw`(\d{4})`, 'weekYear'],
  ['MMMM', LETTERS, 'monthName'],
  ['MMM', LETTERS, 'monthName'],
  ['MM', String.raw`(\d{2})`, 'month'],
  ['M', String.raw`(\d{1,2})`, 'month'],
  ['DDDD', String.raw`(\d{3})`, 'dayOfYear'],
  ['DD', String.raw`(\d{2})`, 'day'],
  ['Do', String.raw`(\d{1,2})(?:st|nd|rd|th|\.|º|°)?`, 'day'],
  ['D', String.raw`(\d{1,2})`, 'day'],
  ['dddd', String.raw`([\p{L}][\p{L}\p{M}.-]{0,23})`, 'weekday'],
  ['WW', String.raw`(\d{2})`, 'week'],
  ['E', String.raw`([1-7])`, 'weekdayNumber'],
  ['HH', String.raw`(\d{2})`, 'hour'],
  ['H', String.raw`(\d{1,2})`, 'hour'],
  ['hh', String.raw`(\d{2})`, 'hour12'],
  ['h', String.raw`(\d{1,2})`, 'hour12'],
  ['mm', String.raw`(\d{2})`, 'minute'],
  ['SSS', String.raw`(\d{1,9})`, 'fraction'],
  ['ss', String.raw`(\d{2})`, 'second'],
  ['A', String.raw`([AaPp])\.?\s?[Mm]\.?`, 'half'],
  [
    'Z',
    String.raw`([Zz]|(?:GMT|UTC)?[+-]\d{1,2}:?(?:\d{2})?|[A-Za-z][A-Za-z_]{0,23}(?:\/[A-Za-z_+\-0-9]+(?: [A-Za-z]+)*)*)`,
    'zone',
  ],
] as const;

export type DatePart = (typeof TOKENS)[number][2];
/** A pattern of all tokens is half as long; a longer text fits no date. */
const MOST_CHARACTERS = 200;
const TOKEN = new RegExp(String.raw`\[([^[\]]*)\]|${TOKENS.map(([token]) => token).join('|')}`, 'g');

/** A pattern, compiled. */
export interface DatePattern {
  readonly matcher: RegExp;
  readonly parts: readonly DatePart[];
  /** The group of the matcher that each part is in. */
  readonly groups: Readonly<Partial<Record<DatePart, number>>>;
}

/** @param parts one for each group of the matcher; of a part that is there twice the first counts */
export const patternOf = (matcher: RegExp, parts: readonly DatePart[]): DatePattern => ({
  matcher,
  parts,
  groups: Object.fromEntries(parts.map((part, index) => [part, index + 1] as const).toReversed()),
});

/** `D.M.YY` for `D.M.YYYY`, and the reverse; `undefined` if the year is not last. */
export function otherYear(format: string): string | undefined {
  if (!/^[DM][^Y]*Y/.test(format)) return undefined;
  return format.includes('YYYY') ? format.replace('YYYY', 'YY') : format.replace('YY', 'YYYY');
}

const NO_PATTERN = patternOf(/(?!)/u, []);

export const datePattern = (format: string): DatePattern =>
  format.length > MOST_CHARACTERS ? NO_PATTERN : compiled(format);

/** Characters that are no token are literal, and so is text in brackets. */
const compiled = remembered((format): DatePattern => {
  const parts: DatePart[] = [];
  let source = '';
  let end = 0;
  for (const found of format.matchAll(TOKEN)) {
    source += literal(format.slice(end, found.index));
    const [, pattern, part] = TOKENS.find(([token]) => token === found[0]) ?? [];
    if (pattern === undefined || part === undefined) source += literal(found[1] ?? '');
    else {
      source += pattern;
      parts.push(part);
    }
    end = found.index + found[0].length;
  }
  source += literal(format.slice(end));
  return patternOf(new RegExp(`^${source.replaceAll(BLANKS, String.raw`\s+`)}$`, 'u'), parts);
});

/** Neighbours, as of two brackets with a blank each: every one of them would take a share of the blanks of a text. */
const BLANKS = /(?:\\s\+){2,}/g;

const literal = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);

/** The problem of a pattern; `undefined` if it names a day. */
export function patternProblem(format: string): Said | undefined {
  const { parts } = datePattern(format);
  const has = (...some: DatePart[]): boolean => some.some((part) => parts.includes(part));
  const isDay = has('year', 'shortYear') && ((has('month', 'monthName') && has('day')) || has('dayOfYear'));
  const isWeekDay = has('weekYear', 'year') && has('week');
  if (!isDay && !isWeekDay) return say('format_of_no_day', {});
  const repeated = parts.find((part, index) => parts.indexOf(part) !== index);
  return repeated === undefined ? undefined : say('format_names_twice', { part: repeated });
}

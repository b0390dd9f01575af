import { instantOfLocalTime } from './time-zone.ts';

/**
 * Dates as exports write them. A format is `iso`, `epoch` (seconds), `epoch_ms`, or a pattern of these parts; anything else in
 * a pattern is literal text. Month names are English; a weekday (`dddd`) is not checked.
 */
const PARTS: Readonly<Record<string, { readonly pattern: string; readonly part: Part }>> = {
  YYYY: { pattern: '(\\d{4})', part: 'year' },
  YY: { pattern: '(\\d{2})', part: 'shortYear' },
  MMMM: { pattern: '(\\p{L}+)', part: 'monthName' },
  MMM: { pattern: '(\\p{L}{3})\\p{L}*\\.?', part: 'monthName' },
  MM: { pattern: '(\\d{2})', part: 'month' },
  M: { pattern: '(\\d{1,2})', part: 'month' },
  DD: { pattern: '(\\d{2})', part: 'day' },
  D: { pattern: '(\\d{1,2})', part: 'day' },
  dddd: { pattern: '(\\p{L}+)', part: 'weekday' },
  HH: { pattern: '(\\d{2})', part: 'hour' },
  H: { pattern: '(\\d{1,2})', part: 'hour' },
  hh: { pattern: '(\\d{2})', part: 'hour12' },
  h: { pattern: '(\\d{1,2})', part: 'hour12' },
  mm: { pattern: '(\\d{2})', part: 'minute' },
  ss: { pattern: '(\\d{2})', part: 'second' },
  A: { pattern: '([AaPp])\\.?[Mm]\\.?', part: 'half' },
};

type Part =
  | 'year'
  | 'shortYear'
  | 'monthName'
  | 'month'
  | 'day'
  | 'weekday'
  | 'hour'
  | 'hour12'
  | 'minute'
  | 'second'
  | 'half';

const TOKEN = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|HH|H|hh|h|mm|ss|A/g;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LOOSE_ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))? ?(Z|UTC|[+-]\d{2}:?(?:\d{2})?)?$/i;

interface Pattern {
  readonly matcher: RegExp;
  readonly parts: readonly Part[];
}
const patterns = new Map<string, Pattern>();

/** What is wrong with a format; `undefined` if it is valid. */
export function dateFormatProblem(format: string): string | undefined {
  if (['iso', 'epoch', 'epoch_ms'].includes(format)) return undefined;
  const { parts } = patternOf(format);
  const hasDay = parts.some((part) => part === 'day') && parts.some((part) => part === 'month' || part === 'monthName');
  const hasYear = parts.includes('year') || parts.includes('shortYear');
  return hasDay && hasYear
    ? undefined
    : 'must be iso, epoch, epoch_ms, or a pattern with year, month and day, like DD/MM/YYYY';
}

/**
 * A date in the format of the interface (§2.7); `undefined` if the text does not fit. A date and time without a zone is UTC; a
 * date without a time stays a date.
 */
export function convertDate(text: string, format: string, zone: string | undefined): string | undefined {
  if (format === 'iso') return fromLooseIso(text, zone);
  if (format === 'epoch' || format === 'epoch_ms') return fromEpoch(text, format === 'epoch' ? 1000 : 1);
  return fromPattern(text, patternOf(format), zone);
}

function fromLooseIso(text: string, zone: string | undefined): string | undefined {
  const [, day, time, offset] = LOOSE_ISO.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (time === undefined) return offset === undefined ? day : undefined;
  const local = `${day}T${time.replace(',', '.')}`;
  if (offset !== undefined) return local + isoOffset(offset);
  return zone === undefined ? `${local}Z` : atZone(Date.parse(`${local}Z`), zone);
}

function isoOffset(offset: string): string {
  if (/^(z|utc)$/i.test(offset)) return 'Z';
  const [, hours = '', minutes = ''] = /^([+-]\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  return `${hours}:${minutes === '' ? '00' : minutes}`;
}

function fromEpoch(text: string, unitMs: number): string | undefined {
  const instant = /^-?\d{1,15}(\.\d+)?$/.test(text) ? Math.round(Number(text) * unitMs) : Number.NaN;
  return isoOf(instant);
}

function fromPattern(text: string, { matcher, parts }: Pattern, zone: string | undefined): string | undefined {
  const found = matcher.exec(text);
  if (found === null) return undefined;
  const value: ValueOf = (part) => (parts.includes(part) ? found[parts.indexOf(part) + 1] : undefined);
  const [year, month, day] = dayOf(value);
  const hour = hourOf(value);
  const time = Date.UTC(year, month - 1, day, hour ?? 0, Number(value('minute') ?? 0), Number(value('second') ?? 0));
  if (!isRealDay(time, year, month, day)) return undefined;
  if (hour === undefined) return isoOf(time)?.slice(0, 10);
  return zone === undefined ? isoOf(time) : atZone(time, zone);
}

type ValueOf = (part: Part) => string | undefined;

function dayOf(value: ValueOf): [year: number, month: number, day: number] {
  const year = Number(value('year') ?? `20${value('shortYear') ?? ''}`);
  const named = value('monthName');
  const month = named === undefined ? Number(value('month')) : MONTHS.indexOf(named.slice(0, 3).toLowerCase()) + 1;
  return [year, month, Number(value('day'))];
}

function hourOf(value: ValueOf): number | undefined {
  const hour = value('hour');
  if (hour !== undefined) return Number(hour);
  const hour12 = value('hour12');
  if (hour12 === undefined) return undefined;
  const isAfternoon = value('half')?.toLowerCase() === 'p';
  return (Number(hour12) % 12) + (isAfternoon ? 12 : 0);
}

/** `Date.UTC` turns 31 February into a day of March. */
function isRealDay(time: number, year: number, month: number, day: number): boolean {
  const date = new Date(time);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function patternOf(format: string): Pattern {
  const known = patterns.get(format);
  if (known !== undefined) return known;
  const parts: Part[] = [];
  let source = '';
  let end = 0;
  for (const { 0: token, index } of format.matchAll(TOKEN)) {
    source += literal(format.slice(end, index)) + (PARTS[token]?.pattern ?? '');
    parts.push(PARTS[token]?.part ?? 'weekday');
    end = index + token.length;
  }
  const pattern = { matcher: new RegExp(`^${source}${literal(format.slice(end))}$`, 'u'), parts };
  patterns.set(format, pattern);
  return pattern;
}

const literal = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
const atZone = (localMs: number, zone: string): string | undefined =>
  Number.isNaN(localMs) ? undefined : isoOf(instantOfLocalTime(localMs, zone));

function isoOf(instant: number): string | undefined {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Dates (§2.7): ISO 8601 as clients send it, UTC instants with milliseconds inside the service. */
import type { Instant } from '../shared/model.ts';

/** The rule for a message about an invalid date; the name of the field comes before it. */
export const DATE_RULE = 'must be a complete date that exists, in ISO 8601, such as 2024-03-01 or 2024-03-01T09:30:00Z';

const EXTENDED_PATTERN = patternOf('-', ':');
const BASIC_PATTERN = patternOf('', '');
/** How a date may be written (rule 5); published in the OpenAPI document. */
export const DATE_PATTERN = `^(?:${EXTENDED_PATTERN}|${BASIC_PATTERN})$`;

const EXTENDED = new RegExp(`^${EXTENDED_PATTERN}$`);
const BASIC = new RegExp(`^${BASIC_PATTERN}$`);

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60 * MS_PER_SECOND;
const MS_PER_HOUR = 60 * MS_PER_MINUTE;
const MS_PER_DAY = 24 * MS_PER_HOUR;
/** The calendar repeats after so many years. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * MS_PER_DAY;
const FIRST_MS = midnight(1, 0, 1);
const LAST_MS = midnight(10_000, 0, 1) - 1;

/**
 * Reads a complete calendar, ordinal or week date of ISO 8601, alone or with a time to the minute or second, as a UTC instant
 * with milliseconds. The last part of the time may have a fraction, which is cut to milliseconds; a time to the hour has one. A
 * plain date is its midnight, no offset means UTC, 24:00 is the next midnight and 23:59:60 of UTC the next second.
 *
 * Date and time are both in the extended form or both in the basic one; the offset may be in either, as many systems write it.
 * `undefined` for everything else: a date that does not exist, a reduced form, an instant outside the years 0001 to 9999,
 * as written or in UTC.
 *
 * @example
 * parseInstant('2024-03-01T09:30+01:00'); // => '2024-03-01T08:30:00.000Z'
 * parseInstant('2024-W09-5'); // => '2024-03-01T00:00:00.000Z'
 * parseInstant('2023-02-29'); // => undefined
 */
export function parseInstant(text: string): Instant | undefined {
  const parts = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month, day, ordinal, week, weekday, ...timeAndZone] = parts;
  const zone = timeAndZone.pop();
  const offset = offsetMs(zone);
  const utc = dayMs(Number(year), { month, day, ordinal, week, weekday }) + timeMs(timeAndZone, offset) - offset;
  return Number(year) > 0 && utc >= FIRST_MS && utc <= LAST_MS ? new Date(utc).toISOString() : undefined;
}

/** Milliseconds since 1970 as an instant. @throws RangeError beyond the years that a date can have */
export function instant(ms: number): Instant {
  return new Date(ms).toISOString();
}

/** So many days of 24 hours later. */
export const daysAfter = (at: Instant, days: number): Instant => instant(Date.parse(at) + days * MS_PER_DAY);

/** The same day and time so many years later. */
export function yearsAfter(at: Instant, years: number): Instant {
  const date = new Date(at);
  return instant(date.setUTCFullYear(date.getUTCFullYear() + years));
}

/** The latest of these instants; an empty text for none. */
export const latestOf = (instants: readonly Instant[]): Instant => instants.reduce((a, b) => (a > b ? a : b), '');

/** One of the two forms of ISO 8601, by the separators of date and time. */
function patternOf(dash: string, colon: string): string {
  const date = `(\\d{4})${dash}(?:(\\d{2})${dash}(\\d{2})|(\\d{3})|W(\\d{2})${dash}([1-7]))`;
  const fraction = '[.,](\\d{1,9})';
  const time = `(\\d{2})(?:${fraction}|${colon}(\\d{2})(?:${fraction}|${colon}(\\d{2})(?:${fraction})?)?)`;
  return `${date}(?:T${time}(Z|[+-]\\d{2}(?::?\\d{2})?)?)?`;
}

type DayParts = Readonly<Record<'month' | 'day' | 'ordinal' | 'week' | 'weekday', string | undefined>>;

/** Midnight of the day as if it were UTC; NaN for a day that does not exist. */
function dayMs(year: number, { month, day, ordinal, week, weekday }: DayParts): number {
  if (month !== undefined) return calendarDay(year, Number(month), Number(day));
  if (ordinal !== undefined) return dayFrom(midnight(year, 0, 1), Number(ordinal), midnight(year + 1, 0, 1));
  return dayFrom(firstMonday(year), 7 * (Number(week) - 1) + Number(weekday), firstMonday(year + 1));
}

function calendarDay(year: number, month: number, day: number): number {
  const isMonth = month >= 1 && month <= 12;
  return isMonth ? dayFrom(midnight(year, month - 1, 1), day, midnight(year, month, 1)) : Number.NaN;
}

/** The day of that number, from 1, of a period that ends before `endMs`. */
function dayFrom(startMs: number, day: number, endMs: number): number {
  const ms = startMs + (day - 1) * MS_PER_DAY;
  return ms >= startMs && ms < endMs ? ms : Number.NaN;
}

/** The first week of a year is the one with 4 January. */
function firstMonday(year: number): number {
  const ms = midnight(year, 0, 4);
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return ms - daysSinceMonday * MS_PER_DAY;
}

/** `Date.UTC` takes the years 0 to 99 for those of the 20th century, so it is asked for the same day of the next cycle. */
function midnight(year: number, month: number, day: number): number {
  return Date.UTC(year + CYCLE_YEARS, month, day) - CYCLE_MS;
}

/** Hours, minutes and seconds, the digits of a fraction behind each; the last part that is present may have one. */
type TimeParts = readonly (string | undefined)[];

/** NaN for a time that does not exist at this offset. */
function timeMs(parts: TimeParts, offset: number): number {
  const [hours, minutes, seconds] = [numberAt(parts, 0), numberAt(parts, 2), numberAt(parts, 4)];
  const minuteMs = hours * MS_PER_HOUR + minutes * MS_PER_MINUTE;
  const isTime = hours < 24 && minutes < 60 && (seconds < 60 || (seconds === 60 && isLastMinute(minuteMs - offset)));
  const isNextMidnight = hours === 24 && !parts.slice(1).some((part = '') => /[1-9]/.test(part));
  return isTime || isNextMidnight ? minuteMs + seconds * MS_PER_SECOND + fractionMs(parts) : Number.NaN;
}

const numberAt = (parts: TimeParts, at: number): number => Number(parts[at] ?? 0);

const isLastMinute = (ms: number): boolean => (ms + MS_PER_DAY) % MS_PER_DAY === MS_PER_DAY - MS_PER_MINUTE;

const FRACTIONS = [
  [1, MS_PER_HOUR],
  [3, MS_PER_MINUTE],
  [5, MS_PER_SECOND],
] as const;

/** Cut to milliseconds. Nine digits of an hour in milliseconds are a safe integer before the division. */
function fractionMs(parts: TimeParts): number {
  return FRACTIONS.reduce((sum, [at, unitMs]) => {
    const digits = parts[at] ?? '';
    return sum + Math.floor((Number(digits) * unitMs) / 10 ** digits.length);
  }, 0);
}

/** NaN for an offset of 24 hours or more. */
function offsetMs(zone = 'Z'): number {
  if (zone === 'Z') return 0;
  const hours = zone.slice(1, 3);
  const minutes = zone.length > 3 ? zone.slice(-2) : '00';
  if (hours >= '24' || minutes >= '60') return Number.NaN;
  const ms = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
  return zone.startsWith('-') ? -ms : ms;
}

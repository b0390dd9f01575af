/**
 * Dates as exports write them. A format is `iso`, `epoch` (seconds), `epoch_ms`, `epoch_us`, `epoch_ns`, `excel` (days since 1900),
 * `excel_1904`, or a pattern; of several formats the first one that fits is taken.
 */
import { ownValue } from '../ground/own-value.ts';
import type { Said } from '../ground/codes.ts';
import { type DatePattern, datePattern, type DatePart, patternOf, patternProblem } from './date-pattern.ts';
import { monthOf, weekdaysOf } from './month-names.ts';
import { instantIn, instantOfLocalTime } from './time-zone.ts';

/** How times without a zone, zones and names of months are read. */
export interface DateReading {
  /** Zone of times without one; UTC if absent. */
  readonly zone?: string | undefined;
  /** Offsets of abbreviations of zones that we do not know, or that have another offset here. */
  readonly zones?: Readonly<Record<string, string>> | undefined;
  readonly language?: string | undefined;
  /** Called for every time without a zone. */
  readonly onLocalTime?: (() => void) | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A date is never longer; a longer text is not searched. */
const MAX_LENGTH = 100;

/** It is no pattern. */
export const isNamedFormat = (format: string): boolean => Object.hasOwn(NAMED, format);

export const dateFormatProblem = (format: string): Said | undefined =>
  isNamedFormat(format) ? undefined : patternProblem(format);

/** A date of the interface (§2.7); `undefined` if it does not fit. A time without a zone is UTC; a day stays a day. */
export function convertDate(
  given: string,
  formats: string | readonly string[],
  reading: DateReading = {},
): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const text = asciiDigits(given);
  for (const format of typeof formats === 'string' ? [formats] : formats) {
    const named = ownValue(NAMED, format);
    const date = named === undefined ? fromPattern(text, datePattern(format), reading) : named(text, reading);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** The digits of every script as those of ASCII, with the signs of percentages and decimals. */
export const asciiDigits = (text: string): string =>
  OTHER_SCRIPT.test(text)
    ? text
        .replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit)
        .replace('٪', '%')
        .replace('٫', '.')
    : text;

const OTHER_SCRIPT = /[\u{80}-\u{10ffff}]/u;

function asciiDigit(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0;
  const value = zero;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((value - zero) % 10);
}

const NAMED: Readonly<Record<string, (text: string, reading: DateReading) => string | undefined>> = {
  // ISO 8601 with or without hyphens and colons, also week dates and ordinal dates; a blank may replace the T.
  iso: (text, reading) => fromPattern(text, LOOSE_ISO, reading),
  epoch: (text) => fromEpoch(text, 1000),
  epoch_ms: (text) => fromEpoch(text, 1),
  epoch_us: (text) => fromEpoch(text, 1e-3),
  epoch_ns: (text) => fromEpoch(text, 1e-6),
  excel: (text, reading) => fromSerial(text, Date.UTC(1899, 11, 30), reading),
  excel_1904: (text, reading) => fromSerial(text, Date.UTC(1904, 0, 1), reading),
};

const LOOSE_ISO = patternOf(
  /^(\d{4})-?(?:(\d{2})-?(\d{2})|W(\d{2})-?([1-7])|(\d{3}))(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|UTC|[+-]\d{2}:?(?:\d{2})?)?$/i,
  ['year', 'month', 'day', 'week', 'weekdayNumber', 'dayOfYear', 'hour', 'minute', 'second', 'fraction', 'zone'],
);

function fromEpoch(text: string, unitMs: number): string | undefined {
  return isoOf(/^-?\d{1,19}(\.\d+)?$/.test(text) ? Math.round(Number(text) * unitMs) : Number.NaN);
}

/** Days of a spreadsheet, with the time as their fraction. */
function fromSerial(text: string, originMs: number, reading: DateReading): string | undefined {
  if (!/^\d{1,7}([.,]\d+)?$/.test(text)) return undefined;
  const days = Number(text.replace(',', '.'));
  // Spreadsheets count a 29 February 1900: earlier days are another number.
  if (days < 61 || days > 2_958_465) return undefined;
  const local = originMs + Math.round((days * DAY_MS) / 1000) * 1000;
  return Number.isInteger(days) ? isoOf(local)?.slice(0, 10) : isoOf(inZone(local, reading));
}

function inZone(localMs: number, { zone, onLocalTime }: DateReading): number {
  onLocalTime?.();
  return zone === undefined ? localMs : instantOfLocalTime(localMs, zone);
}

function fromPattern(text: string, pattern: DatePattern, reading: DateReading): string | undefined {
  const { matcher, groups } = pattern;
  const found = matcher.exec(text);
  if (found === null) return undefined;
  const value: ValueOf = (part) => found[groups[part] ?? -1];
  const day = dayOf(value, reading);
  const time = timeOf(value);
  if (day === undefined || time === undefined) return undefined;
  const zone = value('zone');
  // The day of a date with a zone and without a time is that day, wherever it was.
  if (time === 'none') return zone === undefined || pattern !== LOOSE_ISO ? isoOf(day)?.slice(0, 10) : undefined;
  const local = day + time;
  return isoOf(zone === undefined ? inZone(local, reading) : instantIn(local, zone, reading.zones));
}

type ValueOf = (part: DatePart) => string | undefined;

/** Midnight of the day; `undefined` if there is no such day. */
function dayOf(value: ValueOf, { language }: DateReading): number | undefined {
  const year = yearOf(value);
  const week = value('week');
  if (week !== undefined) return dayOfWeek(year, Number(week), Number(value('weekdayNumber') ?? 1));
  const ordinal = value('dayOfYear');
  if (ordinal !== undefined) return dayIn(year, 1, Number(ordinal), true);
  const name = value('monthName');
  const month = name === undefined ? Number(value('month')) : monthOf(name, language);
  const day = month === undefined ? undefined : dayIn(year, month, Number(value('day')));
  return day === undefined || !mayBeOn(value, day) ? undefined : day;
}

/** Its name of a day of the week is that of the day; beside numbers a word has to be such a name. */
function mayBeOn(value: ValueOf, dayMs: number): boolean {
  const name = value('weekday');
  if (name === undefined) return true;
  return weekdaysOf(name)?.has(new Date(dayMs).getUTCDay()) ?? value('monthName') !== undefined;
}

function dayIn(year: number, month: number, day: number, isOrdinal = false): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  // `Date.UTC` turns 31 February into a day of March.
  const isReal = isOrdinal || (date.getUTCMonth() === month - 1 && date.getUTCDate() === day);
  return day > 0 && date.getUTCFullYear() === year && isReal ? date.getTime() : undefined;
}

/** A year of two digits is from 1970 to 2069. */
function yearOf(value: ValueOf): number {
  const year = value('year') ?? value('weekYear');
  if (year !== undefined) return Number(year);
  const short = Number(value('shortYear'));
  return short < 70 ? 2000 + short : 1900 + short;
}

/** Week 1 is the one with 4 January; days count from Monday. */
function dayOfWeek(year: number, week: number, weekday: number): number | undefined {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const firstMonday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
  const day = firstMonday + ((week - 1) * 7 + weekday - 1) * DAY_MS;
  const thursday = new Date(firstMonday + ((week - 1) * 7 + 3) * DAY_MS);
  return week >= 1 && thursday.getUTCFullYear() === year ? day : undefined;
}

/** Milliseconds since midnight; `undefined` if there is no such time. */
function timeOf(value: ValueOf): number | 'none' | undefined {
  const hour = hourOf(value);
  if (hour === 'none') return 'none';
  const minute = Number(value('minute') ?? 0);
  const second = Number(value('second') ?? 0);
  if (hour === undefined || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return undefined;
  const fraction = Math.floor(Number(`0.${value('fraction') ?? '0'}`) * 1000);
  return ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
}

function hourOf(value: ValueOf): number | 'none' | undefined {
  const hour = value('hour');
  if (hour !== undefined) return Number(hour) <= 24 ? Number(hour) : undefined;
  const hour12 = value('hour12');
  if (hour12 === undefined) return 'none';
  if (Number(hour12) > 12) return undefined;
  return (Number(hour12) % 12) + (value('half')?.toLowerCase() === 'p' ? 12 : 0);
}

function isoOf(instant: number | undefined): string | undefined {
  const date = new Date(instant ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

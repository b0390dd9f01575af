import { ownValue } from '../ground/own-value.ts';
import { remembered } from '../ground/remembered.ts';

/** Abbreviations with one meaning in the exports of course systems. Others are set in `zones` of the mapping. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  UTC: '+00:00',
  GMT: '+00:00',
  Z: '+00:00',
  WET: '+00:00',
  WEST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  MSK: '+03:00',
  JST: '+09:00',
  KST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
};

/** Also `GMT+1`, as spreadsheets of forms write it. */
const OFFSET = /^(?:(?:GMT|UTC)(?=[+-]\d))?([+-])(\d{1,2}):?(\d{2})?$/i;

/** An offset, or an abbreviation with one meaning. */
export const isZone = (text: string): boolean =>
  OFFSET.test(text) || ownValue(ABBREVIATIONS, text.toUpperCase()) !== undefined;

export const isOffset = (text: string): boolean => OFFSET.test(text);

function offsetMs(offset: string): number {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Since zones follow UTC, every change of an offset was at a full quarter of an hour. */
const QUARTER_MS = 15 * 60 * 1000;
const SHOWN = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

const MOST_DAYS = 20_000;

/** Formatters and offsets are kept, because `Intl` is slow and dates come in clusters. */
const formatter = remembered((timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...SHOWN }));

export function isTimeZone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch {
    return false;
  }
}

/** The IANA zone of a name, an abbreviation with one meaning, or `UTC+2`; `undefined` for another text. */
export function zoneNamed(text: string): string | undefined {
  if (text.includes('/')) return isTimeZone(text) ? text : undefined;
  const offset = /^(?:UTC|GMT)[+-]\d/.test(text) ? text.slice(3) : ownValue(ABBREVIATIONS, text);
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{1,2})(?::?(\d\d))?$/.exec(offset ?? '') ?? [];
  // `Etc/GMT+2` is two hours behind UTC.
  return hours === undefined || minutes !== '00' ? undefined : `Etc/GMT${sign === '-' ? '+' : '-'}${Number(hours)}`;
}

/** The instant of a local time, in milliseconds; `undefined` for a zone that is not known, or has several meanings. */
export function instantIn(
  localMs: number,
  zone: string,
  zones: Readonly<Record<string, string>> = {},
): number | undefined {
  const named = ownValue(zones, zone) ?? ownValue(ABBREVIATIONS, zone.toUpperCase()) ?? zone;
  if (OFFSET.test(named)) return localMs - offsetMs(named);
  // People and some systems write a blank: America/New York.
  const region = named.replaceAll(' ', '_');
  return region.includes('/') && isTimeZone(region) ? instantOfLocalTime(localMs, region) : undefined;
}

/** In milliseconds. Of a time that occurs twice, the first; a skipped time gets the offset before the change. */
export function instantOfLocalTime(localMs: number, zone: string): number {
  const offsetAt = offsetReader(zone);
  const [before, after] = [localMs - offsetAt(localMs - DAY_MS), localMs - offsetAt(localMs + DAY_MS)];
  if (before === after) return before;
  const exact = [before, after].filter((instant) => instant + offsetAt(instant) === localMs);
  return exact.length > 0 ? Math.min(...exact) : before;
}

/** The offset of a zone from UTC at an instant, both in milliseconds. No zone changes it twice within a day. */
const offsetReader = remembered((zone) => {
  const atStart = remembered((start: number) => offsetFrom(start, formatter(zone)), MOST_DAYS);
  const ofDay = remembered((day: number) => {
    const offset = atStart(day * DAY_MS);
    return offset === atStart((day + 1) * DAY_MS) ? offset : undefined;
  }, MOST_DAYS);
  return (instant: number): number =>
    ofDay(Math.floor(instant / DAY_MS)) ?? atStart(Math.floor(instant / QUARTER_MS) * QUARTER_MS);
});

function offsetFrom(instant: number, shown: Intl.DateTimeFormat): number {
  const part: Record<string, number> = {};
  for (const { type, value } of shown.formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
}

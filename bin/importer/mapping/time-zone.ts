export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

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
};

const OFFSET = /^([+-])(\d{2}):?(\d{2})?$/;

export const isOffset = (text: string): boolean => OFFSET.test(text);

/**
 * The instant of a local time, in milliseconds, where the text names its zone: an offset, an abbreviation or an IANA zone;
 * `undefined` for a zone that is not known, or has several meanings.
 */
export function instantIn(
  localMs: number,
  zone: string,
  zones: Readonly<Record<string, string>> = {},
): number | undefined {
  const named = zones[zone] ?? ABBREVIATIONS[zone.toUpperCase()] ?? zone;
  if (OFFSET.test(named)) return localMs - offsetMs(named);
  return named.includes('/') && isTimeZone(named) ? instantOfLocalTime(localMs, named) : undefined;
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(name: string): Intl.DateTimeFormat {
  let formatter = formatters.get(name);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(name, formatter);
  }
  return formatter;
}

/**
 * The instant at which the clocks of a zone show a local time, both in milliseconds. A time that occurs twice is the first; a
 * time that is skipped is read with the offset before the change.
 */
export function instantOfLocalTime(localMs: number, zone: string): number {
  const day = 24 * 60 * 60 * 1000;
  const candidates = [offsetAt(localMs - day, zone), offsetAt(localMs + day, zone)].map((offset) => localMs - offset);
  const exact = candidates.filter((instant) => instant + offsetAt(instant, zone) === localMs);
  return exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? localMs);
}

/** Since zones follow UTC, every change of an offset was at a full quarter of an hour. */
const QUARTER_MS = 15 * 60 * 1000;
const MOST_OFFSETS = 20_000;
const offsets = new Map<string, number>();

/** Offset of a zone from UTC, in milliseconds. Kept because `Intl` is slow and dates come in clusters. */
function offsetAt(instant: number, zone: string): number {
  const quarter = Math.floor(instant / QUARTER_MS);
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= MOST_OFFSETS) offsets.clear();
  const offset = computedOffset(quarter * QUARTER_MS, zone);
  offsets.set(key, offset);
  return offset;
}

function computedOffset(instant: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
}

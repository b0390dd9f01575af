/** Dates (§2.7): ISO 8601 as clients send it, UTC instants with milliseconds inside the service. */
import type { Instant } from '../shared/model.ts';

/** How a date may be written (§2.7); published in the OpenAPI document. */
export const DATE_PATTERN =
  '^(\\d{4}-\\d{2}-\\d{2})(?:T(\\d{2}:\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?(Z|[+-]\\d{2}:\\d{2})?)?$';

const DATE = new RegExp(DATE_PATTERN);
const OFFSET = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;
const MS_PER_MINUTE = 60_000;

/**
 * Reads `YYYY-MM-DD[Thh:mm[:ss[.f…]][Z|±hh:mm]]` as a UTC instant with milliseconds. No offset means UTC, a plain date
 * its midnight; fractions are cut, not rounded. `undefined` for everything else: a day that does not exist, 24:00, a leap
 * second, a week or ordinal date, an instant outside the years 0000 to 9999.
 */
export function parseInstant(text: string): Instant | undefined {
  const parts = DATE.exec(text);
  if (parts === null) return undefined;
  const [, date = '', time, seconds, fraction, zone] = parts;
  const wallClock = wallClockOf(date, time, seconds, fraction);
  const offset = offsetMinutes(zone);
  if (wallClock === undefined || offset === undefined) return undefined;
  const instant = new Date(wallClock - offset * MS_PER_MINUTE).toISOString();
  return instant.length === '2026-01-02T03:04:05.678Z'.length ? instant : undefined;
}

/** The instant of a number of milliseconds since 1970. */
export function instant(ms: number): Instant {
  return new Date(ms).toISOString();
}

/** Milliseconds as if the time were UTC. `Date` takes 30 February for 1 March, and 24:00 for the next day: both are rejected. */
function wallClockOf(date: string, time = '00:00', seconds = '00', fraction = ''): number | undefined {
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const wallClock = new Date(`${date}T${time}:${seconds}.${milliseconds}Z`);
  const isValid = !Number.isNaN(wallClock.getTime());
  return isValid && wallClock.toISOString().startsWith(date) ? wallClock.getTime() : undefined;
}

function offsetMinutes(zone = 'Z'): number | undefined {
  if (zone === 'Z') return 0;
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  if (sign === undefined) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -size : size;
}

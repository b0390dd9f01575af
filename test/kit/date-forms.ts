/** Every way to write an instant in ISO 8601 (rule 5), by counting days: it shares nothing with what reads them. */

const MS_PER_DAY = 86_400_000;

/** All forms of an instant at an offset in minutes; those whose year is not from 0001 to 9999 are left out. */
export function formsOf(ms: number, offset = 0): string[] {
  const local = ms + offset * 60_000;
  const midnight = Math.floor(local / MS_PER_DAY) * MS_PER_DAY;
  const sinceMidnight = local - midnight;
  const zones = zonesOf(offset);
  const own = withTimes(midnight, timesOf(sinceMidnight), zones);
  const ofDayBefore =
    sinceMidnight === 0 ? withTimes(midnight - MS_PER_DAY, timesWith(['24', '00', '00'], 0, '000000'), zones) : [];
  const plain = local === midnight && offset === 0 ? datesOf(midnight).flatMap(({ text }) => text) : [];
  return [...own, ...ofDayBefore, ...leapSeconds(ms, offset, zones), ...plain];
}

interface Form {
  readonly text: string;
  readonly isBasic: boolean;
}

function withTimes(midnight: number, times: readonly Form[], zones: readonly string[]): string[] {
  return datesOf(midnight).flatMap((date) =>
    times
      .filter((time) => time.isBasic === date.isBasic)
      .flatMap((time) => zones.map((zone) => `${date.text}T${time.text}${zone}`)),
  );
}

function datesOf(midnight: number): Form[] {
  const day = new Date(midnight);
  const year = day.getUTCFullYear();
  const month = pad(day.getUTCMonth() + 1, 2);
  const ordinal = (midnight - firstOfYear(year)) / MS_PER_DAY + 1;
  const weekday = day.getUTCDay() === 0 ? 7 : day.getUTCDay();
  // A week belongs to the year of its Thursday.
  const thursday = midnight + (4 - weekday) * MS_PER_DAY;
  const weekYear = new Date(thursday).getUTCFullYear();
  const week = pad(1 + Math.floor((thursday - firstOfYear(weekYear)) / (7 * MS_PER_DAY)), 2);
  return [
    ...inBothForms(year, [month, pad(day.getUTCDate(), 2)]),
    ...inBothForms(year, [pad(ordinal, 3)]),
    ...inBothForms(weekYear, [`W${week}`, String(weekday)]),
  ];
}

function inBothForms(year: number, parts: readonly string[]): Form[] {
  if (year < 1 || year > 9999) return [];
  const texts = [pad(year, 4), ...parts];
  return [
    { text: texts.join('-'), isBasic: false },
    { text: texts.join(''), isBasic: true },
  ];
}

function firstOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

function timesOf(sinceMidnight: number): Form[] {
  const seconds = Math.floor(sinceMidnight / 1000);
  const parts = [pad(Math.floor(seconds / 3600), 2), pad(Math.floor(seconds / 60) % 60, 2), pad(seconds % 60, 2)];
  const ofHour = fractionOf(sinceMidnight % 3_600_000, 3_600_000);
  const ofMinute = fractionOf(sinceMidnight % 60_000, 60_000);
  return [
    ...timesWith(parts, sinceMidnight % 1000, '999999'),
    ...[false, true].flatMap((isBasic) => [
      { text: `${parts[0]}.${ofHour}`, isBasic },
      { text: `${parts[0]}${isBasic ? '' : ':'}${parts[1]},${ofMinute}`, isBasic },
    ]),
  ];
}

/** Nine digits that are cut to these milliseconds of a unit. */
const fractionOf = (ms: number, unitMs: number): string => pad(Math.ceil((ms * 1e9) / unitMs), 9);

/** The first second of a day of UTC as second 60 of the minute before, at this offset. */
function leapSeconds(ms: number, offset: number, zones: readonly string[]): string[] {
  const intoDay = ((ms % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
  if (intoDay >= 1000) return [];
  const minute = ms - intoDay - 60_000 + offset * 60_000;
  const midnight = Math.floor(minute / MS_PER_DAY) * MS_PER_DAY;
  const minutes = (minute - midnight) / 60_000;
  return withTimes(
    midnight,
    timesWith([pad(Math.floor(minutes / 60), 2), pad(minutes % 60, 2), '60'], intoDay, '999999'),
    zones,
  );
}

/** @param cut digits of a fraction that are finer than a millisecond */
function timesWith([hours = '', minutes = '', seconds = '']: readonly string[], ms: number, cut: string): Form[] {
  const digits = pad(ms, 3);
  const fractions = [digits, digits + cut, digits + cut.slice(0, 1), digits.replace(/0{1,2}$/, '')];
  return [':', ''].flatMap((colon) => {
    const whole = [hours, minutes, seconds].join(colon);
    const texts = [
      ...(ms === 0 && seconds === '00' ? [hours + colon + minutes] : []),
      ...(ms === 0 ? [whole] : []),
      ...fractions.flatMap((fraction) => [`${whole}.${fraction}`, `${whole},${fraction}`]),
    ];
    return texts.map((text) => ({ text, isBasic: colon === '' }));
  });
}

function zonesOf(offset: number): string[] {
  if (offset === 0) return ['', 'Z', '+00', '-0000', '+00:00'];
  const sign = offset < 0 ? '-' : '+';
  const hours = sign + pad(Math.floor(Math.abs(offset) / 60), 2);
  const minutes = pad(Math.abs(offset) % 60, 2);
  return [`${hours}:${minutes}`, hours + minutes, ...(minutes === '00' ? [hours] : [])];
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

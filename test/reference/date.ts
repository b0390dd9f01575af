/** Dates by rule 5, computed by counting days from 0001-01-01, a Monday, without the calendar of `Date`. */

const EXTENDED = {
  dates: [/^(\d{4})-(\d\d)-(\d\d)$/, /^(\d{4})-(\d{3})$/, /^(\d{4})-W(\d\d)-(\d)$/],
  time: /^(\d\d)(?::(\d\d)(?::(\d\d))?)?(?:[.,](\d{1,9}))?$/,
};
const BASIC = {
  dates: [/^(\d{4})(\d\d)(\d\d)$/, /^(\d{4})(\d{3})$/, /^(\d{4})W(\d\d)(\d)$/],
  time: /^(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,](\d{1,9}))?$/,
};
const ZONE = /(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;

const DAY = 86_400_000;
const DAYS_TO_1970 = 719_162;

/** UTC with milliseconds; `undefined` if the text is not a date. */
export function referenceDate(text: string): string | undefined {
  const [date = '', ...rest] = text.split('T');
  if (rest.length > 1) return undefined;
  if (date.startsWith('0000')) return undefined;
  for (const { dates, time } of [EXTENDED, BASIC]) {
    const day = dayOf(dates.map((form) => form.exec(date)));
    const moment = rest[0] === undefined ? 0 : momentOf(rest[0], time);
    if (day !== undefined && moment !== undefined) return written(day * DAY + moment);
  }
  return undefined;
}

function written(sinceYear1: number): string | undefined {
  if (sinceYear1 < 0 || sinceYear1 >= daysBefore(10_000) * DAY) return undefined;
  return new Date(sinceYear1 - DAYS_TO_1970 * DAY).toISOString();
}

/** Days since 0001-01-01. */
function dayOf([calendar, ordinal, week]: readonly (RegExpExecArray | null)[]): number | undefined {
  if (calendar) return calendarDay(Number(calendar[1]), Number(calendar[2]), Number(calendar[3]));
  if (ordinal) return ordinalDay(Number(ordinal[1]), Number(ordinal[2]));
  return week ? weekDay(Number(week[1]), Number(week[2]), Number(week[3])) : undefined;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysBefore(year: number): number {
  const full = year - 1;
  return 365 * full + Math.floor(full / 4) - Math.floor(full / 100) + Math.floor(full / 400);
}

function calendarDay(year: number, month: number, day: number): number | undefined {
  const months = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (day < 1 || day > (months[month - 1] ?? 0)) return undefined;
  return daysBefore(year) + months.slice(0, month - 1).reduce((sum, days) => sum + days, 0) + day - 1;
}

function ordinalDay(year: number, day: number): number | undefined {
  return day >= 1 && day <= (isLeap(year) ? 366 : 365) ? daysBefore(year) + day - 1 : undefined;
}

/** Week 1 has the first Thursday. A year has 53 weeks if it begins with one, or, a leap year, with a Wednesday. */
function weekDay(year: number, week: number, day: number): number | undefined {
  const newYear = daysBefore(year);
  const weekday = ((newYear % 7) + 7) % 7;
  const weeks = weekday === 3 || (weekday === 2 && isLeap(year)) ? 53 : 52;
  if (week < 1 || week > weeks || day < 1 || day > 7) return undefined;
  const firstMonday = weekday <= 3 ? newYear - weekday : newYear + 7 - weekday;
  return firstMonday + 7 * (week - 1) + day - 1;
}

/** Milliseconds since midnight UTC of the written day, negative for the day before. */
function momentOf(text: string, form: RegExp): number | undefined {
  const zone = ZONE.exec(text);
  const time = form.exec(zone === null ? text : text.slice(0, zone.index));
  const offset = zone === null ? 0 : offsetOf(zone);
  if (time === null || offset === undefined) return undefined;
  const sinceMidnight = timeOf(time, offset);
  return sinceMidnight === undefined ? undefined : sinceMidnight - offset;
}

// The rule in one piece.
// oxlint-disable-next-line complexity
function timeOf([, hour, minute, second, digits = '']: RegExpExecArray, offset: number): number | undefined {
  // A time to the hour has a fraction.
  if (minute === undefined && digits === '') return undefined;
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)];
  const toTheMinute = (hours * 60 + minutes) * 60_000;
  const isMidnight = hours === 24 && minutes + seconds + Number(digits) === 0;
  const isLeapSecond =
    seconds === 60 && hours <= 23 && [-1, 0, 1].some((day) => toTheMinute - offset === day * DAY + DAY - 60_000);
  const isUsual = hours <= 23 && minutes <= 59 && seconds <= 59;
  if (![isUsual, isMidnight, isLeapSecond && minutes <= 59].includes(true)) return undefined;
  const unit = second === undefined ? (minute === undefined ? 3_600_000n : 60_000n) : 1000n;
  const fraction = (BigInt(digits === '' ? 0 : digits) * unit) / 10n ** BigInt(digits.length);
  return toTheMinute + seconds * 1000 + Number(fraction);
}

function offsetOf([, sign, hours = '0', minutes = '0']: RegExpExecArray): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

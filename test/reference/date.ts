/** Dates as the rules say them, by counting days: nothing is left to `Date`'s own parser. */

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d\d):(\d\d))?)?$/;

/** Hours, minutes, seconds, and the offset's hours and minutes, by their place in the form. */
const LATEST = [
  [4, 23],
  [5, 59],
  [6, 59],
  [10, 23],
  [11, 59],
] as const;

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** UTC with milliseconds, or `undefined` where it is no date. */
export function referenceDate(text: string): string | undefined {
  const form = FORM.exec(text);
  if (form === null) return undefined;
  const number = (at: number) => Number(form[at] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const isDay = day >= 1 && day <= daysIn(year, month);
  if (!isDay || LATEST.some(([at, latest]) => number(at) > latest)) return undefined;
  const milliseconds = Number((form[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = Number(`${form[9] ?? '+'}1`) * (number(10) * 60 + number(11));
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(number(4), number(5) - offset, number(6), milliseconds);
  if (moment.getUTCFullYear() < 0 || moment.getUTCFullYear() > 9999) return undefined;
  return moment.toISOString();
}

/** Dates that mean "never": the one table of them. A system that stores no date writes its zero, or the end of its calendar. */

/** Zeros of every notation: `0`, `0000-00-00 00:00:00`, `00/00/0000`. */
const ZEROS = /^[0\s.,/:T-]*0[0\s.,/:TZ-]*$/;
const WORDS = /^(never|nie|niemals|jamais|nunca|mai|nooit|nigdy|aldrig|aldri|никогда|未)$/i;
/** Texts with which exports fill an empty cell. */
const NOTHING = /^(-+|–|—|n\/a|n\.a\.|na|null|none|nil|nan|nat|#n\/a|\\n|undefined|\(blank\)|\(empty\))$/i;
const YEAR = /(?<!\d)(\d{4})(?!\d)/;

/** The days around the epoch, in any time zone. */
const EPOCH_DAYS: ReadonlySet<string> = new Set(['1969-12-31', '1970-01-01']);
/** 0001 of .NET, 1601 of Windows, 1753 of SQL Server, 1899 and 1900 of spreadsheets; 9999, 2999 and 2099 are ends of calendars. */
const isNeverYear = (year: number): boolean => year <= 1901 || year >= 2090;

export const isNothing = (text: string): boolean => text === '' || NOTHING.test(text);

/** A text that means never before it is read as a date, also where no calendar has it, like `1900-01-00`. */
export function isNeverText(text: string): boolean {
  if (ZEROS.test(text) || WORDS.test(text)) return true;
  const year = YEAR.exec(text)?.[1];
  return year !== undefined && isNeverYear(Number(year));
}

/** @param date ISO 8601, as it was read */
export const isNeverDate = (date: string): boolean =>
  isNeverYear(Number(/^[+-]?\d+/.exec(date)?.[0])) || EPOCH_DAYS.has(date.slice(0, 10));

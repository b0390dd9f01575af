/** A number of a sheet as the text that its number format shows: a date, a percentage, an id with leading zeros. */

export type NumberText = (stored: string) => string;

const DAY_MS = 24 * 60 * 60 * 1000;
/** 31 December 9999. */
const LAST_DAY = 2_958_465;

const BUILT_IN: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};

/** The code of a format that is built in; those of eastern languages are all dates. */
export function builtInFormat(id: number): string {
  const isEasternDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return BUILT_IN[id] ?? (isEasternDate ? 'yyyy/m/d' : 'General');
}

/** Excel's own limit. */
const LONGEST_FORMAT = 255;

/** How numbers with this format code are written. Dates become ISO texts without a zone, to the second or finer. */
export function numberText(format: string, is1904: boolean): NumberText {
  const code = format.slice(0, LONGEST_FORMAT);
  const letters = bareLetters(code);
  if (letters.includes('%')) return percentage;
  if (/\[(h+|m+|s+)\]/i.test(letters)) return duration;
  if (/[ymdhs]/i.test(letters) && !/general/i.test(letters)) return dateText(letters, is1904);
  const picture = leadingZeros(code);
  return picture === undefined ? plain : (stored) => padded(stored, picture);
}

/** The letters of the first section of a format: without texts, colours and conditions. */
function bareLetters(code: string): string {
  const [first = ''] = code
    .replaceAll(/"[^"]*"|\\.|[_*]./g, '')
    .replaceAll(/\[(?!(?:h+|m+|s+)\])[^[\]]*\]/gi, '')
    .split(';', 1);
  return first;
}

const percentage: NumberText = (stored) => `${plain(String(Number((Number(stored) * 100).toPrecision(12))))}%`;

/** Whole numbers stay as they are stored, also beyond 15 digits; others must not show binary rounding. */
const plain: NumberText = (stored) => {
  if (/^-?\d+$/.test(stored)) return stored;
  const number = Number(stored);
  return stored.trim() === '' || Number.isNaN(number) ? stored : plainDecimal(Number(number.toPrecision(15)));
};

function plainDecimal(number: number): string {
  const text = String(number);
  if (!text.includes('e')) return text;
  return Math.abs(number) >= 1 ? BigInt(number).toString() : number.toFixed(20).replace(/\.?(?<!0)0+$/, '');
}

const duration: NumberText = (stored) => {
  const seconds = Math.round(Number(stored) * 24 * 60 * 60);
  return Number.isNaN(seconds)
    ? stored
    : [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
};

const twoDigits = (number: number): string => String(number).padStart(2, '0');

function dateText(letters: string, is1904: boolean): NumberText {
  const hasTime = /[hs]/i.test(letters);
  return (stored) => {
    const days = Number(stored);
    // Not a date: shown as Excel stores it, so that it is not taken for one.
    if (stored.trim() === '' || !(days >= 0) || days >= LAST_DAY + 1) return plain(stored);
    const ms = Math.round(days * DAY_MS);
    const time = timeOf(ms % DAY_MS);
    const whole = Math.floor(ms / DAY_MS);
    if (whole === 0 && hasTime && !/[yd]/i.test(letters)) return time;
    const day = dayOf(whole, is1904);
    if (day === undefined) return plain(stored);
    // A time that the format hides was recorded all the same.
    return hasTime || ms % DAY_MS > 0 ? `${day}T${time}` : day;
  };
}

function timeOf(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  return text.endsWith('.000') ? text.slice(0, 8) : text;
}

/** The day with this number; workbooks that begin in 1900 count a 29 February 1900, as day 60. */
function dayOf(number: number, is1904: boolean): string | undefined {
  if (is1904) return isoDay(Date.UTC(1904, 0, 1) + number * DAY_MS);
  if (number === 0) return undefined;
  if (number === 60) return '1900-02-29';
  return isoDay(Date.UTC(1899, 11, number < 60 ? 31 : 30) + number * DAY_MS);
}

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A format of nothing but zeros and marks between them, like `00000` or `000-00`: an id; `undefined` for another. */
function leadingZeros(code: string): string | undefined {
  const [first = ''] = code.replaceAll(/\[[^[\]]*\]/g, '').split(';', 1);
  const marks = first.replaceAll(/"[^"]*"|\\./g, '');
  if (/"[^"0]*0[^"]*"|\\0/.test(first) || !/^[^\d#?.,E@/%]*(?:0[^\d#?.,E@/%]*){2,}$/.test(marks)) return undefined;
  return first.replaceAll(/"([^"]*)"|\\(.)/g, '$1$2');
}

/** The digits put into the zeros of the picture, from the right. */
function padded(stored: string, picture: string): string {
  if (!/^\d+$/.test(stored)) return plain(stored);
  const zeros = picture.match(/0/g)?.length ?? 0;
  const digits = stored.padStart(zeros, '0');
  let next = digits.length - zeros;
  let isFirst = true;
  return picture.replaceAll('0', () => {
    const from = isFirst ? 0 : next;
    isFirst = false;
    next += 1;
    return digits.slice(from, next);
  });
}

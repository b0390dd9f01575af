/** The content of the columns of a table: the basis of a guess, collected over all of its rows. */
import { placesOf } from '../ground/columns.ts';
import { bareAddress } from '../dates/convert-value.ts';
import { asciiDigits } from '../dates/date-format.ts';
import { otherYear } from '../dates/date-pattern.ts';
import { saysTopic, Topics } from '../lexicon/topics.ts';
import { plainText, rolesOf, withoutRemark } from '../lexicon/words.ts';
import {
  datePartOf,
  fits,
  isNeverText,
  mayFitPattern,
  PLAIN_FORMATS,
  patternsOf,
  withDate,
  mayBeginWithYears,
} from '../dates/date-forms.ts';

export const MOST_TEXTS = 300;
/** The share of values that a format has to fit. */
const LEAST_DATES = 0.6;
const SOME_FORMS = 5;
/** Words beside a date. */
const MOST_WORDS = 30;
/** A longer header is the question of a survey. */
const MOST_HEADER = 120;
/** Longer texts are no addresses. */
const MOST_ADDRESS = 400;

/** The facts of a column: its header, its texts, and what most of them are. */
export class ColumnProfile {
  readonly name: string;
  /** What the header says in the languages of the lexicon. */
  readonly roles: ReadonlySet<string>;
  /** The header as it is compared; empty for one that is longer than any header. */
  readonly plain: string;
  /** The same without a remark in brackets at its end. */
  readonly bare: string;
  /** What the header is about. */
  readonly topics: Topics;
  /** `#6` if the header is empty or occurs twice. */
  readonly reference: string;
  filled = 0;
  /** Of the cells whose texts are not kept. */
  readonly #others = { addresses: 0, numbers: 0 };
  /** Different texts, with how often each occurs; the first few hundred. */
  readonly texts = new Map<string, number>();
  #dated: { readonly words: ColumnProfile; readonly dates: ColumnProfile } | undefined | null = null;
  /** Found once: the getters are used after all rows have been read. */
  #values: readonly string[] | undefined;
  #formats: readonly string[] | undefined;
  #prefix: string | undefined;

  constructor(name: string, reference: string) {
    this.name = name;
    this.plain = name.length > MOST_HEADER ? '' : plainText(name);
    this.bare = this.plain && (plainText(withoutRemark(name)) || this.plain);
    this.topics = new Topics(this.plain);
    this.roles = rolesOf(name);
    this.reference = reference;
  }

  /** @param times the cells that have this text */
  add(cell: string, times = 1): void {
    const known = this.texts.get(cell);
    if (known === undefined) this.#addOther(cell.trim(), times);
    // Most texts repeat.
    else this.#addText(cell, known, times);
  }

  #addOther(given: string, times: number): void {
    if (given === '') return;
    const text = NUMERAL.test(given) ? asciiDigits(given) : given;
    const known = this.texts.get(text) ?? 0;
    if (known > 0 || this.texts.size < MOST_TEXTS) {
      this.#addText(text, known, times);
      return;
    }
    this.filled += times;
    if (isAddressText(text)) this.#others.addresses += times;
    if (NUMBER.test(text)) this.#others.numbers += times;
  }

  #addText(text: string, known: number, times: number): void {
    this.filled += times;
    this.texts.set(text, known + times);
  }

  /** Cells whose texts are so; each text is looked at once. */
  #cells(is: (text: string) => boolean): number {
    return [...this.texts].reduce((sum, [text, count]) => (is(text) ? sum + count : sum), 0);
  }

  get addresses(): number {
    return this.#others.addresses + this.#cells(isAddressText);
  }

  get numbers(): number {
    return this.#others.numbers + this.#cells((text) => NUMBER.test(text));
  }

  /** Texts with a meaning: not a dash in place of an empty cell. */
  get values(): readonly string[] {
    return (this.#values ??= [...this.texts.keys()].filter((text) => !isNothing(text)));
  }

  /** Most cells are addresses, whatever the header says; totals and pseudo learners have none. */
  get isAddress(): boolean {
    return this.filled > 0 && this.addresses >= this.filled * 0.6;
  }

  get isNumber(): boolean {
    return this.#areAll(NUMBER);
  }

  /** Only 0 and 1 (-1 in a database of Access): a flag, a percentage or a share. */
  get isFlag(): boolean {
    return this.#areAll(FLAG);
  }

  /** Numbers, and words beside them like `Pass`. */
  get isMostlyNumber(): boolean {
    const ofNothings = this.nothings.reduce((sum, text) => sum + (this.texts.get(text) ?? 0), 0);
    return this.numbers > 0 && this.numbers * 2 > this.filled - ofNothings;
  }

  #areAll(pattern: RegExp): boolean {
    return this.values.length > 0 && this.values.every((text) => pattern.test(text));
  }

  get hasDecimalComma(): boolean {
    return (
      this.values.some((text) => /^\d+,\d{1,2}\s*%?$/.test(text)) && !this.values.some((text) => /^\d+\.\d/.test(text))
    );
  }

  /** The texts of this column that mean an empty cell. */
  get nothings(): string[] {
    return [...this.texts.keys()].filter(isNothing);
  }

  /** The date formats that most of its values have, those that mean never aside: a few cells may be no dates. */
  get dateFormats(): readonly string[] {
    return (this.#formats ??= this.#formatsOf(this.values));
  }

  /** What all of several codes begin with: `ORA_REC_` of `ORA_REC_COMPLETE`; empty where it may say that something is not so. */
  get prefix(): string {
    return (this.#prefix ??= prefixOf(this.values));
  }

  /** The words and the dates of a column like `Completed (2024-01-02)`; `undefined` for another. */
  get dated(): { readonly words: ColumnProfile; readonly dates: ColumnProfile } | undefined {
    if (this.#dated === null) this.#dated = this.#parted();
    return this.#dated;
  }

  #parted() {
    if (this.dateFormats.length > 0) return undefined;
    const [words, dates] = [new ColumnProfile(this.name, this.reference), new ColumnProfile(this.name, this.reference)];
    for (const text of this.values) {
      const date = datePartOf(text);
      if (date !== undefined) dates.add(date);
      words.add(withDate(text), this.texts.get(text));
    }
    const isDated = dates.filled * 4 >= this.values.length && dates.dateFormats.length > 0;
    return isDated && words.texts.size <= MOST_WORDS ? { words, dates } : undefined;
  }

  /** Behind each date may stand the same word, like `r.` in Polish, which says nothing. */
  #formatsOf(all: readonly string[]): readonly string[] {
    const values = all.filter((text) => !isNeverText(text)).map(asciiDigits);
    if (mayBeginWithYears(values)) return [];
    const formats = this.#fittingFormats(values);
    const [, tail] = /\d(\s?\p{L}{1,4}\.?)$/u.exec(values.find((text) => /\d/.test(text)) ?? '') ?? [];
    if (formats.length > 0 || tail === undefined) return formats;
    const bare = values.map((text) => (text.endsWith(tail) ? text.slice(0, -tail.length) : text));
    return bare.filter((text, index) => text !== values[index]).length < values.length * LEAST_DATES
      ? []
      : this.#fittingFormats(bare).flatMap((format) =>
          PLAIN_FORMATS.includes(format) ? [] : [`${format}${tail.replace(/\S+/, '[$&]')}`],
        );
  }

  #fittingFormats(values: readonly string[]): readonly string[] {
    const least = values.length * LEAST_DATES;
    if (values.length === 0 || values.filter((text) => /\d/.test(text)).length < least) return [];
    const patterned = values.filter(mayFitPattern);
    // A workbook has its dates in the form of the standard, and beside them those that somebody typed as texts.
    const standard = new Set(values.filter((text) => fits(text, 'iso')));
    const patterns = patterned.length + standard.size < least ? [] : patterned.slice(0, SOME_FORMS).flatMap(patternsOf);
    const counted = [...new Set([...PLAIN_FORMATS, ...patterns])].map((format) => {
      const exact = new Set(values.filter((text) => fits(text, format)));
      const years = exact.size === 0 ? undefined : otherYear(format);
      const own = values.filter((text) => exact.has(text) || (years !== undefined && fits(text, years)));
      const others = own.filter((text) => !standard.has(text)).length;
      // One says nothing of the order of day and month.
      const isTyped = others > (otherOrder(format) === undefined ? 0 : 1) && !PLAIN_FORMATS.includes(format);
      return { format, fitting: isTyped ? standard.size + others : own.length };
    });
    const most = Math.max(...counted.map(({ fitting }) => fitting));
    if (most >= least) return counted.flatMap(({ format, fitting }) => (fitting === most ? [format] : []));
    // Some have the day first and others the month: a person says what becomes of them.
    const isDate = (text: string, formats: readonly string[]): boolean =>
      standard.has(text) || formats.some((format) => fits(text, format));
    return (
      [...new Set(patterns)]
        .map(bothOrders)
        .find((both) => both.length > 1 && values.filter((text) => isDate(text, both)).length >= least) ?? []
    );
  }
}

/** Two may share it by chance. */
const LEAST_CODES = 3;
const CODE = /^[\p{L}\d]+(?:[_.:/-]+[\p{L}\d]+)+$/u;

function prefixOf([first = '', ...others]: readonly string[]): string {
  if (others.length + 1 < LEAST_CODES || ![first, ...others].every((text) => CODE.test(text))) return '';
  const parts = first.split(/(?<=[_.:/-])/);
  const fits = parts
    .map((_part, at) => parts.slice(0, at).join(''))
    .filter((start) => others.every((text) => text.startsWith(start)));
  const longest = fits.at(-1) ?? '';
  return saysTopic(`${plainText(longest)} `, 'negated') ? '' : longest;
}

const ADDRESS = /^[^\s@<>()",;]+@[^\s@<>()",;](?=[^.]*\..)[^\s@<>()",;]+$/i;
/** An e-mail address, also as `mailto:` and behind a name. */
export const isAddressText = (text: string): boolean =>
  text.includes('@') && text.length <= MOST_ADDRESS && ADDRESS.test(bareAddress(text));
const FLAG = /^(0|-?1)$/;
/** Turkish writes the sign of a percentage first. */
const NUMBER = /^(%\s?)?[+-]?\d+([.,]\d+)?\s*%?$/;
/** A number in the digits of any script. */
const NUMERAL = /^\p{Nd}+(?:[٫.,]\p{Nd}+)?\s*[٪%]?$/u;

const isNothing = (text: string): boolean => {
  const plain = text.toLowerCase();
  return plain === 'never' || saysTopic(plain, 'nothing');
};

/** The columns of a table, each with its facts. */
export class TableProfile {
  readonly columns: readonly ColumnProfile[];
  rows = 0;

  /** @param references how a mapping names the columns; by default their names */
  constructor(names: readonly string[], references?: readonly string[]) {
    const places = placesOf(names);
    this.columns = names.map((name, index) => {
      const { first, last } = places.get(name) ?? {};
      const own = name !== '' && first === last ? name : `#${index + 1}`;
      return new ColumnProfile(name, references?.[index] ?? own);
    });
  }

  add(cells: readonly string[]): void {
    this.rows += 1;
    for (const [index, column] of this.columns.entries()) column.add(cells[index] ?? '');
  }
}

const DAY_FIRST = /^(dddd,? )?D[^Y]*M(?!MM)/;
const MONTH_FIRST = /^(dddd,? )?M(?!MM)/;

export const isDayFirst = (format: string): boolean => DAY_FIRST.test(format);
export const isMonthFirst = (format: string): boolean => MONTH_FIRST.test(format);

/** `M/D/YYYY` of `D/M/YYYY`, and the other way round; `undefined` where a name or a year tells them apart. */
export function otherOrder(format: string): string | undefined {
  const other = format.replace(/^((?:dddd,? )?)([DM])([^DMY]*)([DM])(?!MM)/, '$1$4$3$2');
  return other === format ? undefined : other;
}

const bothOrders = (format: string): readonly string[] => [format, otherOrder(format) ?? []].flat();

/** Some of its dates can only be day first, and others only month first. */
const provesBoth = ({ dateFormats, values }: ColumnProfile): boolean =>
  dateFormats.map(bothOrders).some(([own = '', other]) => {
    const fitting = values.map((text) => [fits(text, own), other !== undefined && fits(text, other)]);
    return fitting.some(([a, b]) => a && !b) && fitting.some(([a, b]) => !a && b);
  });

/** True if the dates of a table have their month first; `undefined` if no column shows it, or columns differ. */
export function monthIsFirst(columns: readonly ColumnProfile[]): boolean | undefined {
  const seen = columns.flatMap((column) => {
    const [day, month] = [column.dateFormats.some(isDayFirst), column.dateFormats.some(isMonthFirst)];
    return day === month || provesBoth(column) ? [] : [month];
  });
  return seen.length > 0 && seen.every((each) => each === seen[0]) ? seen[0] : undefined;
}

/** All values are between 0 and 1, and at least one is neither. */
export function areFractions({ values }: ColumnProfile): boolean {
  const written = values.filter((text) => /\d/.test(text));
  if (written.length === 0 || written.some((text) => text.includes('%'))) return false;
  const numbers = written.map((text) => Number(text.replace(',', '.')));
  return numbers.every((number) => number >= 0 && number <= 1) && numbers.some((number) => number > 0 && number < 1);
}

/** Reads one value of a record from the cells of a row. */
import type { Columns } from '../ground/columns.ts';
import { convertValue, expectedOf, type Notation, plainNumber, shareOf } from '../dates/convert-value.ts';
import { type Field, type FieldKind, FIELDS } from '../ground/fields.ts';
import type { Notes } from '../language/notes.ts';
import type { Condition, Mapping, SimpleSource, MemberSource, ValueSource } from '../language/schema.ts';
import { remembered } from '../ground/remembered.ts';
import { isNeverDate, isNeverText } from '../dates/date-forms.ts';
import { anyOf, comparable, Translations } from '../ground/text-pattern.ts';

export type Cells = readonly string[];
export type Read<Value> = (cells: Cells) => Value;
export type Value = string | number | undefined;
type TextOf = (cell: string | undefined) => string | undefined;
type Given = Exclude<SimpleSource, string>;

/** A source that takes the earliest or latest of the other dates of its record. */
type OwnDates = 'earliest' | 'latest';

const MOST_DATES = 20_000;

/** Makes the readers of a mapping for the columns of one file. */
export class ValueReaders {
  readonly mapping: Mapping;
  readonly columns: Columns;
  readonly notes: Notes | undefined;
  /** The trimmed text of a cell; `undefined` if it is empty or listed in `empty`. */
  readonly textOf: TextOf;

  constructor(mapping: Mapping, columns: Columns, notes: Notes | undefined) {
    this.mapping = mapping;
    this.columns = columns;
    this.notes = notes;
    this.textOf = textUnless(mapping.empty ?? []);
  }

  /** The first of the sources that gives a value. */
  reader(field: Field, source: MemberSource): Read<Value> {
    const readers = [source].flat().map((each) => this.#one(field, each));
    return (cells) => {
      for (const read of readers) {
        const value = read(cells);
        if (value !== undefined) return value;
      }
      return undefined;
    };
  }

  #one(field: Field, source: string | ValueSource): Read<Value> {
    const { earliest, latest }: ValueSource = typeof source === 'string' ? {} : source;
    const dates = earliest ?? latest;
    if (dates === undefined) return this.#simple(field, source);
    if (dates === true) return () => undefined;
    const readers = dates.map((each) => this.#simple(field, each));
    const better = earliest === undefined ? later : earlier;
    return (cells) => readers.map((read) => read(cells)).reduce(better, undefined);
  }

  #simple(field: Field, given: SimpleSource): Read<Value> {
    const source: Given = typeof given === 'string' ? { column: given } : given;
    const notation = this.notation(source);
    const readText = this.#text(field, source);
    const translate = this.#translation(field, source);
    const share = this.#share(field, source, notation);
    const asTarget = (target: string | number): Value =>
      typeof target === 'number' ? target : (convertValue(target, FIELDS[field], { ...notation, scale: 1 }) ?? target);
    const dateOf = FIELDS[field] === 'date' ? dateReader(notation) : undefined;
    const convert = CONVERTERS[FIELDS[field]]((text) => convertValue(text, FIELDS[field], notation));
    const valueOf = (text: string, date: DateText | undefined): Value => {
      if (date?.isLocal === true) notation.reading.onLocalTime?.();
      return date === undefined ? convert(text) : date.value;
    };
    const read = (text: string, cells: Cells): Value => {
      const date = dateOf?.(text);
      const target = date?.isNever === true ? null : translate?.(text);
      if (target === null) return source.if_empty;
      if (target !== undefined) return asTarget(target);
      const value = share === undefined ? valueOf(text, date) : share(text, cells);
      return value ?? this.#unreadable(field, source, text, notation);
    };
    return (cells) => {
      const text = readText(cells);
      if (text === undefined) return source.if_empty;
      return typeof text === 'number' ? text : read(text, cells);
    };
  }

  /** A text that does not fit is sent unchanged: only the service validates records. */
  #unreadable(field: Field, source: Given, value: string, notation: Notation): string {
    // A text that `values` does not name has a note already.
    if (source.values === undefined)
      this.notes?.add({
        kind: 'not_readable',
        field,
        column: labelOf(source),
        value,
        expected: expectedOf(FIELDS[field], notation),
      });
    return value;
  }

  #translation(field: Field, source: Given): ((text: string) => string | number | null | undefined) | undefined {
    const { values, otherwise } = source;
    if (values === undefined) return undefined;
    const translations = new Translations(values);
    const notation = this.notation(source);
    const isValue = (text: string): boolean =>
      FIELDS[field] !== 'text' && convertValue(text, FIELDS[field], notation) !== undefined;
    return (text) => {
      const target = translations.of(text);
      if (target !== undefined) return target;
      if (otherwise !== undefined || !isValue(text))
        this.notes?.add({
          kind: 'not_named',
          field,
          column: labelOf(source),
          value: text,
          becomes: otherwise?.toString(),
        });
      return otherwise;
    };
  }

  #share(field: Field, { out_of }: Given, { decimal }: Notation): ((text: string, cells: Cells) => Value) | undefined {
    if (out_of === undefined) return undefined;
    if (typeof out_of === 'number') return (text) => shareOf(plainNumber(text, decimal), out_of);
    const index = this.columns.indexOf(out_of, field);
    return (text, cells) => shareOf(plainNumber(text, decimal), plainNumber(cells[index]?.trim() ?? '', decimal));
  }

  #text(field: Field, { column, constant, template, empty }: Given): Read<Value> {
    if (constant !== undefined) return () => constant;
    const textOf = empty === undefined ? this.textOf : textUnless([...(this.mapping.empty ?? []), ...empty]);
    if (template !== undefined) return this.#template(field, template, textOf);
    const index = this.columns.indexOf(column ?? '', field);
    return (cells) => textOf(cells[index]);
  }

  /** One text made of several cells; absent if one of them is empty. */
  #template(field: Field, template: string, textOf: TextOf): Read<string | undefined> {
    const parts = template
      .split(/\{([^{}]+)\}/)
      .map((part, position) => (position % 2 === 0 ? { text: part } : { index: this.columns.indexOf(part, field) }));
    return (cells) => {
      let whole = '';
      for (const { text, index = -1 } of parts) {
        const part = text ?? textOf(cells[index]);
        if (part === undefined) return undefined;
        whole += part;
      }
      return whole;
    };
  }

  notation({ dates, scale = 1 }: { dates?: Notation['dates'] | undefined; scale?: number | undefined }): Notation {
    const { time_zone, zones, language, decimal = '.' } = this.mapping;
    const notes = this.notes;
    const onLocalTime = notes === undefined ? undefined : () => void (notes.localTimes += 1);
    const formats = dates ?? this.mapping.dates ?? 'iso';
    return {
      // The mapping of one workbook may be that of another, too, which counts its days otherwise.
      dates: this.columns.is1904 === true ? [formats].flat().map(since1904) : formats,
      reading: { zone: time_zone, zones, language, onLocalTime },
      decimal,
      scale,
    };
  }

  anyCondition(given: readonly Condition[] = [], wantedBy: string): Read<boolean> {
    const conditions = given.map((each) => this.condition(each, wantedBy));
    return (cells) => conditions.some((holds) => holds(cells));
  }

  condition(given: Condition, wantedBy: string): Read<boolean> {
    const index = this.columns.indexOf(given.column, wantedBy);
    const { is, is_not, empty } = given;
    if (empty !== undefined) return (cells) => (this.textOf(cells[index]) === undefined) === empty;
    const matches = anyOf(is ?? is_not ?? []);
    return (cells) => matches(cells[index] ?? '') === (is !== undefined);
  }
}

const since1904 = (format: string): string => (format === 'excel' ? 'excel_1904' : format);

const labelOf = ({ column, template }: Given): string => column ?? template ?? '';

export function ownDates(source: MemberSource | undefined): OwnDates | undefined {
  const last = Array.isArray(source) ? source.at(-1) : source;
  if (typeof last !== 'object') return undefined;
  if (last.earliest === true) return 'earliest';
  return last.latest === true ? 'latest' : undefined;
}

/** The earlier of two dates; a text that is no date is kept, so that the service rejects it. */
export const earlier = (a: Value, b: Value): Value => better(a, b, (x, y) => x <= y);
export const later = (a: Value, b: Value): Value => better(a, b, (x, y) => x >= y);

function better(a: Value, b: Value, isBetter: (a: number, b: number) => boolean): Value {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  const [x, y] = [msOfDate(String(a)), msOfDate(String(b))];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? a : b;
  return isBetter(x, y) ? a : b;
}

interface DateText {
  readonly value: Value;
  /** The zero of a date, or the end of a calendar: as if the cell were empty. */
  readonly isNever: boolean;
  /** A time without a zone, which is counted wherever it occurs. */
  readonly isLocal: boolean;
}

function dateReader(notation: Notation): (text: string) => DateText {
  let isLocal = false;
  const reading = { ...notation.reading, onLocalTime: () => void (isLocal = true) };
  return remembered((text) => {
    isLocal = false;
    const value = convertValue(text, 'date', { ...notation, reading });
    return { value, isNever: isNeverText(text) || isNeverDate(String(value ?? '')), isLocal };
  }, MOST_DATES);
}

/** What repeats is converted once. */
const CONVERTERS: Readonly<Record<FieldKind, (convert: (text: string) => Value) => typeof convert>> = {
  text: (convert) => convert,
  email: (convert) => convert,
  classes: (convert) => convert,
  id: remembered,
  number: remembered,
  percentage: remembered,
  status: remembered,
  date: (convert) => convert,
};

export const msOfDate = remembered((text) => Date.parse(text), MOST_DATES);

function textUnless(empty: readonly string[]): TextOf {
  const meaningless = new Set(empty.map(comparable));
  const longest = Math.max(0, ...Array.from(meaningless, ({ length }) => length));
  return (cell) => {
    const text = cell?.trim();
    if (text === undefined || text === '') return undefined;
    return text.length <= longest && meaningless.has(text.toLowerCase()) ? undefined : text;
  };
}

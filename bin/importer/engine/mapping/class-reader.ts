/** Reads `progress.classes` from the cells of a row. */
import type { Columns } from './columns.ts';
import { convertValue } from './convert-value.ts';
import type { Notes } from './notes.ts';
import type { ClassColumn, ClassList } from './schema.ts';
import { anyOf, type TextMatcher, Translations } from './text-pattern.ts';
import type { Cells, Read, Value, ValueReaders } from './value-reader.ts';

const FIELD = 'progress.classes';

/** A class view before the title of a class has become its id. */
export interface DraftClass {
  readonly platform_class_id: unknown;
  readonly viewed_at?: unknown;
}

/** A class that is named by its title; its course is known once the whole record is. */
export class ClassTitle {
  readonly title: string;
  readonly column: string;

  constructor(title: string, column: string) {
    this.title = title;
    this.column = column;
  }
}

export class ClassReaders {
  readonly #values: ValueReaders;
  readonly #columns: Columns;
  readonly #notes: Notes | undefined;
  readonly #matchers = new Map<string, TextMatcher>();

  constructor(values: ValueReaders, columns: Columns, notes: Notes | undefined) {
    this.#values = values;
    this.#columns = columns;
    this.#notes = notes;
  }

  /** `progress.classes` of one row; `undefined` if no class was viewed. */
  reader(source: string | ClassList | readonly ClassColumn[]): Read<unknown> {
    if (typeof source === 'string') return this.#list({ column: source });
    if ('column' in source) return this.#list(source);
    const readers = source.map((entry) => this.#column(entry));
    return (cells) => {
      const viewed = readers.map((read) => read(cells)).filter((each) => each !== undefined);
      return viewed.length === 0 ? undefined : viewed;
    };
  }

  #column(source: ClassColumn): Read<DraftClass | undefined> {
    const { column, platform_class_id, dates } = source;
    const index = this.#columns.indexOf(column, FIELD);
    const isViewed = this.#viewed(source);
    const readDate = this.#date(source, dates === undefined ? undefined : index);
    const id = platform_class_id ?? new ClassTitle(column, column);
    return (cells) => {
      const text = this.#values.textOf(cells[index]);
      return text === undefined || !isViewed(text) ? undefined : viewOf(id, readDate(cells));
    };
  }

  /** Without a list, any text means viewed. If only one list is given, a text of neither has a note. */
  #viewed({ column, viewed, not_viewed }: ClassColumn): (text: string) => boolean {
    if (viewed === undefined && not_viewed === undefined) return () => true;
    const isYes = this.#anyOf(viewed ?? []);
    const isNo = this.#anyOf(not_viewed ?? []);
    return (text) => {
      if (isNo(text)) return false;
      if (isYes(text)) return true;
      const becomes = viewed === undefined ? 'viewed' : 'not viewed';
      this.#notes?.add({ kind: 'not_named', field: FIELD, column, value: text, becomes });
      return viewed === undefined;
    };
  }

  /** Many columns have the same words. */
  #anyOf(patterns: readonly string[]): TextMatcher {
    const key = patterns.join('\n');
    const known = this.#matchers.get(key) ?? anyOf(patterns);
    this.#matchers.set(key, known);
    return known;
  }

  #date({ dates, date_column }: Pick<ClassColumn, 'dates' | 'date_column'>, own?: number): Read<Value> {
    const index = date_column === undefined ? own : this.#columns.indexOf(date_column, FIELD);
    if (index === undefined) return () => undefined;
    const notation = this.#values.notation({ dates });
    return (cells) => {
      const date = this.#values.textOf(cells[index]);
      return date === undefined ? undefined : (convertValue(date, 'date', notation) ?? date);
    };
  }

  /** One class, ids between separators, like `1001;1002`, each with an optional date, like `1001@2024-03-01`; or JSON. */
  #list(source: ClassList): Read<unknown> {
    const { column, separator, json = false, values, titles, viewed_if } = source;
    const index = this.#columns.indexOf(column, FIELD);
    const isViewed = viewed_if === undefined ? () => true : this.#values.condition(viewed_if, FIELD);
    const readDate = this.#date(source);
    const isOne = separator === undefined && (values ?? titles) !== undefined;
    const idOf = this.#idOf(column, values, titles === true);
    return (cells: Cells) => {
      const text = this.#values.textOf(cells[index]);
      if (text === undefined || !isViewed(cells)) return undefined;
      if (json) return parsedOrText(text);
      const date = readDate(cells);
      const parts = isOne
        ? [text]
        : text
            .split(separator ?? ';')
            .map((part) => part.trim())
            .filter((part) => part !== '');
      const classes = parts.flatMap((part) => this.#listed(part, idOf, date));
      return classes.length === 0 ? undefined : classes;
    };
  }

  #listed(part: string, idOf: (name: string) => unknown, date: Value): DraftClass[] {
    const [, name = part, viewed_at = date] = /^(.*)@(\d[^@]*)$/s.exec(part) ?? [];
    const platform_class_id = idOf(name);
    // `null` in `values`: not a class.
    return platform_class_id === null ? [] : [viewOf(platform_class_id, viewed_at)];
  }

  #idOf(column: string, values: ClassList['values'], titles: boolean): (name: string) => unknown {
    const translations = new Translations<number | null>(values ?? {});
    return (name) => {
      const id = translations.of(name);
      if (id !== undefined) return id;
      if (titles) return new ClassTitle(name, column);
      if (/^\d{1,16}$/.test(name)) return Number(name);
      this.#notes?.add({ kind: 'not_named', field: FIELD, column, value: name });
      return name;
    };
  }
}

const viewOf = (platform_class_id: unknown, viewed_at: Value): DraftClass =>
  viewed_at === undefined ? { platform_class_id } : { platform_class_id, viewed_at };

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

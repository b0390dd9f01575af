import type { Columns } from './columns.ts';
import { convertValue, type Notation } from './convert-value.ts';
import {
  type ClassColumn,
  type ClassList,
  type Field,
  FIELDS,
  isField,
  type Mapping,
  type ValueSource,
} from './schema.ts';

/** Makes a migration record (§2.7) of the cells of one row. Empty cells become absent members. */
export type ToRecord = (cells: readonly string[]) => Readonly<Record<string, unknown>>;

type Read<Value> = (cells: readonly string[]) => Value;
/** The trimmed text of a cell; `undefined` if it is empty or listed in `empty`. */
type TextOf = (cell: string | undefined) => string | undefined;

/** @throws UsageError naming the column that the file lacks */
export function compileMapping(mapping: Mapping, columns: Columns): ToRecord {
  const compiler = new Compiler(mapping, columns);
  const readers = Object.entries(mapping.record).flatMap(([name, source]) =>
    source === undefined || !isField(name) ? [] : [{ path: name.split('.'), read: compiler.reader(name, source) }],
  );
  return (cells) => {
    const record: Record<string, Record<string, unknown>> & Record<string, unknown> = { content: { type: 'course' } };
    for (const { path, read } of readers) place(record, path, read(cells));
    return record;
  };
}

function place(record: Record<string, unknown>, [block = '', member]: readonly string[], value: unknown): void {
  if (value === undefined) return;
  if (member === undefined) record[block] = value;
  else record[block] = { ...(record[block] as object | undefined), [member]: value };
}

class Compiler {
  readonly #mapping: Mapping;
  readonly #columns: Columns;
  readonly #textOf: TextOf;

  constructor(mapping: Mapping, columns: Columns) {
    this.#mapping = mapping;
    this.#columns = columns;
    this.#textOf = textUnless(mapping.empty ?? []);
  }

  reader(name: Field, source: string | ValueSource | ClassList | ClassColumn[]): Read<unknown> {
    const given = typeof source === 'string' ? { column: source } : source;
    return FIELDS[name] === 'classes'
      ? this.#classes(given as ClassList | ClassColumn[])
      : this.#value(name, given as ValueSource);
  }

  #value(name: Field, source: ValueSource): Read<unknown> {
    const notation = this.#notation(source);
    const readText = this.#text(name, source);
    const translations = new Map(Object.entries(source.values ?? {}).map(([from, to]) => [from.toLowerCase(), to]));
    return (cells) => {
      const text = readText(cells);
      if (typeof text === 'number') return text;
      const translated =
        translations.get(text?.toLowerCase() ?? '') ?? (appliesOtherwise(source, text) ? source.otherwise : undefined);
      if (typeof translated === 'number') return translated;
      const result = translated ?? text;
      return result === undefined ? undefined : convertValue(result, FIELDS[name], notation);
    };
  }

  #text(name: Field, { column, constant, template, empty }: ValueSource): Read<string | number | undefined> {
    if (constant !== undefined) return () => constant;
    const textOf = empty === undefined ? this.#textOf : textUnless([...(this.#mapping.empty ?? []), ...empty]);
    if (template !== undefined) return this.#template(name, template, textOf);
    const index = this.#columns.indexOf(column ?? '', name);
    return (cells) => textOf(cells[index]);
  }

  /** One text made of several cells; absent if one of them is empty. */
  #template(name: Field, template: string, textOf: TextOf): Read<string | undefined> {
    const parts = template
      .split(/\{([^{}]+)\}/)
      .map((part, position) => (position % 2 === 0 ? { text: part } : { index: this.#columns.indexOf(part, name) }));
    return (cells) => {
      const texts = parts.map(({ text, index = -1 }) => text ?? textOf(cells[index]));
      return texts.includes(undefined) ? undefined : texts.join('');
    };
  }

  /** `progress.classes` of one row; `undefined` if no class was viewed. */
  #classes(source: ClassList | readonly ClassColumn[]): Read<unknown> {
    if ('column' in source) return this.#classList(source);
    const readers = source.map((entry) => this.#classColumn(entry));
    return (cells) => {
      const viewed = readers.flatMap((read) => read(cells) ?? []);
      return viewed.length === 0 ? undefined : viewed;
    };
  }

  #classColumn({ column, platform_class_id, viewed, dates, date_column }: ClassColumn): Read<object | undefined> {
    const index = this.#columns.indexOf(column, 'progress.classes');
    const ownDate = dates === undefined ? undefined : index;
    const dateIndex = date_column === undefined ? ownDate : this.#columns.indexOf(date_column, 'progress.classes');
    const notation = this.#notation({ dates });
    return (cells) => {
      const text = this.#textOf(cells[index]);
      if (text === undefined || viewed?.includes(text) === false) return undefined;
      const date = dateIndex === undefined ? undefined : this.#textOf(cells[dateIndex]);
      if (date === undefined) return { platform_class_id };
      return { platform_class_id, viewed_at: convertValue(date, 'date', notation) };
    };
  }

  /** Ids between separators, like `1001;1002`, each with an optional date, like `1001@2024-03-01`; or JSON. */
  #classList({ column, separator = ';', json = false, values = {} }: ClassList): Read<unknown> {
    const index = this.#columns.indexOf(column, 'progress.classes');
    return (cells) => {
      const text = this.#textOf(cells[index]);
      if (text === undefined) return undefined;
      if (json) return parsedOrText(text);
      return text
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => listedClass(part, values));
    };
  }

  #notation({ dates, scale = 1 }: { dates?: string | undefined; scale?: number | undefined }): Notation {
    const { time_zone, decimal = '.' } = this.#mapping;
    return { dates: dates ?? this.#mapping.dates ?? 'iso', time_zone, decimal, scale };
  }
}

function textUnless(empty: readonly string[]): TextOf {
  const meaningless = new Set(['', ...empty.map((text) => text.toLowerCase())]);
  return (cell) => {
    const text = cell?.trim();
    return text === undefined || meaningless.has(text.toLowerCase()) ? undefined : text;
  };
}

/** `otherwise` replaces every text that `values` does not list, and the empty cell. */
const appliesOtherwise = ({ values, otherwise }: ValueSource, text: string | undefined): boolean =>
  otherwise !== undefined && (values !== undefined || text === undefined);

function listedClass(part: string, values: Readonly<Record<string, number>>): object {
  const [name = '', viewed_at] = part.split('@');
  const id = values[name] ?? (/^\d{1,16}$/.test(name) ? Number(name) : name);
  return { platform_class_id: id, ...(viewed_at === undefined ? {} : { viewed_at }) };
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { Columns } from './columns.ts';
import { convertValue, type Notation } from './convert-value.ts';
import { FIELDS, type Field, type FieldKind, isField } from './fields.ts';
import { classReader } from './read-classes.ts';
import type { ClassColumn, ClassList, Mapping, ValueSource } from './schema.ts';

/** Makes a migration record (§2.7) of the cells of one row. Empty cells are absent members. */
export type ToRecord = (cells: readonly string[]) => Readonly<Record<string, unknown>>;

type ReadValue = (cells: readonly string[]) => unknown;
type Filled = (cell: string | undefined) => string | undefined;

/** @throws UsageFault naming the column that the file lacks */
export function compileMapping(mapping: Mapping, columns: Columns): ToRecord {
  const filled = filledCells(mapping.empty ?? []);
  const readers = Object.entries(mapping.record).flatMap(([name, source]) =>
    source === undefined || !isField(name) ? [] : [{ path: name.split('.'), read: reader(name, source) }],
  );
  return (cells) => {
    const record: Record<string, Record<string, unknown>> & Record<string, unknown> = { content: { type: 'course' } };
    for (const { path, read } of readers) place(record, path, read(cells));
    return record;
  };

  function reader(name: Field, source: string | ValueSource | ClassList | ClassColumn[]): ReadValue {
    const kind = FIELDS[name];
    if (kind === 'classes') return classReader(asClasses(source), columns, notationOf(mapping, {}), filled);
    const given = typeof source === 'string' ? { column: source } : (source as ValueSource);
    const emptyHere = given.empty === undefined ? filled : filledCells([...(mapping.empty ?? []), ...given.empty]);
    return valueReader(name, kind, given, columns, mapping, emptyHere);
  }
}

const asClasses = (source: unknown) =>
  (typeof source === 'string' ? { column: source } : source) as ClassList | ClassColumn[];

function valueReader(
  name: Field,
  kind: FieldKind,
  source: ValueSource,
  ...[columns, mapping, filled]: [Columns, Mapping, Filled]
): ReadValue {
  const notation = notationOf(mapping, source);
  const readText = textReader(name, source, columns, filled);
  const translated = new Map(Object.entries(source.values ?? {}).map(([from, to]) => [from.toLowerCase(), to]));
  return (cells) => {
    const text = readText(cells);
    if (typeof text === 'number') return text;
    const known =
      translated.get(text?.toLowerCase() ?? '') ?? (isTranslatable(source, text) ? source.otherwise : undefined);
    if (typeof known === 'number') return known;
    const result = known ?? text;
    return result === undefined ? undefined : convertValue(result, kind, notation);
  };
}

/** `otherwise` stands for every text that `values` does not list, the empty cell included. */
const isTranslatable = ({ values, otherwise }: ValueSource, text: string | undefined): boolean =>
  otherwise !== undefined && (values !== undefined || text === undefined);

function textReader(name: Field, { column, constant, template }: ValueSource, columns: Columns, filled: Filled) {
  if (constant !== undefined) return () => constant;
  if (template !== undefined) return templateReader(name, template, columns, filled);
  const index = columns.indexOf(column ?? '', name);
  return (cells: readonly string[]) => filled(cells[index]);
}

/** A text made of several cells; absent if one of them is empty. */
function templateReader(name: Field, template: string, columns: Columns, filled: Filled) {
  const parts = template
    .split(/\{([^{}]+)\}/)
    .map((part, position) => (position % 2 === 0 ? { text: part } : { index: columns.indexOf(part, name) }));
  return (cells: readonly string[]): string | undefined => {
    const texts = parts.map(({ text, index = -1 }) => text ?? filled(cells[index]));
    return texts.includes(undefined) ? undefined : texts.join('');
  };
}

function filledCells(empty: readonly string[]): Filled {
  const meaningless = new Set(['', ...empty.map((text) => text.toLowerCase())]);
  return (cell) => {
    const text = cell?.trim();
    return text === undefined || meaningless.has(text.toLowerCase()) ? undefined : text;
  };
}

function notationOf(mapping: Mapping, { dates, scale = 1 }: Pick<ValueSource, 'dates' | 'scale'>): Notation {
  return {
    dates: dates ?? mapping.dates ?? 'iso',
    time_zone: mapping.time_zone,
    decimal: mapping.decimal ?? '.',
    scale,
  };
}

function place(record: Record<string, unknown>, [block = '', member]: readonly string[], value: unknown): void {
  if (value === undefined) return;
  if (member === undefined) record[block] = value;
  else record[block] = { ...(record[block] as object | undefined), [member]: value };
}

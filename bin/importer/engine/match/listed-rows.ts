/** Files with one user or course a row: addresses to check, ids to register. */
import { say } from '../ground/codes.ts';
import { columnsByHeader } from '../profile/roles.ts';
import { type Field, isObject } from '../ground/fields.ts';
import { each } from '../read/pieces.ts';
import type { Source } from '../read/open-source.ts';
import { indexIn, refused } from './row-texts.ts';

export interface ListedRow {
  readonly line: number;
  /** One text for each wanted field, in their order; `undefined` where the cell is empty. */
  readonly texts: readonly (string | undefined)[];
}

export interface WantedField {
  readonly field: Field;
  /** The column, if the user named it; else it is guessed from the header. */
  readonly column: string | undefined;
}

/** @throws EngineError if a column cannot be found */
export async function* listedRows(source: Source, wanted: readonly WantedField[]): AsyncGenerator<ListedRow> {
  if (source.format === 'csv') {
    const indexes = wanted.map((each) => columnIndex(source, each));
    for await (const { line, cells = [] } of each(source.rows()))
      yield { line, texts: indexes.map((index) => cells[index]?.trim() || undefined) };
    return;
  }
  for await (const { line, value } of each(source.rows()))
    yield { line, texts: wanted.map(({ field }) => memberText(value, field)) };
}

/** The columns of a table that give the fields. @throws EngineError if one cannot be found */
export function chosenColumns(source: Source, wanted: readonly WantedField[]): Record<string, string> {
  if (source.format !== 'csv') return {};
  return Object.fromEntries(wanted.map((each) => [each.field, source.columns[columnIndex(source, each)] ?? '']));
}

function columnIndex(source: Source, { field, column }: WantedField): number {
  const index = indexIn(source, { asked: column, guessed: columnsByHeader(source.columns).get(field) });
  if (index === -1) throw refused(source, say('no_column_for', { field }));
  return index;
}

/** `user.email` of a record, or the member `email` of a flat object. */
function memberText(value: unknown, field: Field): string | undefined {
  const [block = '', member = ''] = field.split('.');
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  const inner = value[block];
  const found = isObject(inner) ? inner[member] : value[member];
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

export async function* batches<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

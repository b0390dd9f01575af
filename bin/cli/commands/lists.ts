/** Files that list one thing a row: addresses to check, ids to register. */
import { UsageFault } from '../faults.ts';
import type { Field } from '../mapping/fields.ts';
import { guessColumns } from '../mapping/guess-field.ts';
import type { Source } from '../source/open-source.ts';

export interface ListedRow {
  readonly line: number;
  /** One text for each wanted member, in their order; `undefined` where the cell is empty. */
  readonly texts: readonly (string | undefined)[];
}

export interface Wanted {
  readonly field: Field;
  /** The column, where the command names it; else it is guessed from the header. */
  readonly column: string | undefined;
  /** Name of that option, for the message where neither helps. */
  readonly option: string;
}

/** @throws UsageFault if a column cannot be found */
export async function* listedRows(source: Source, wanted: readonly Wanted[]): AsyncGenerator<ListedRow> {
  if (source.format === 'csv') {
    const indexes = wanted.map((each) => columnIndex(source, each));
    for await (const { line, cells = [] } of source.rows())
      yield { line, texts: indexes.map((index) => cells[index]?.trim() || undefined) };
    return;
  }
  for await (const { line, value } of source.rows())
    yield { line, texts: wanted.map(({ field }) => memberText(value, field)) };
}

function columnIndex({ path, columns }: Source, { field, column, option }: Wanted): number {
  const index = columns.indexOf(column ?? guessColumns(columns).get(field) ?? '');
  if (index !== -1) return index;
  const missing =
    column === undefined
      ? `no column for ${field} was recognised; name it with ${option}`
      : `there is no column "${column}"`;
  throw new UsageFault(`${path}, line 1: ${missing}. The columns are ${columns.map((name) => `"${name}"`).join(', ')}`);
}

/** `user.email` of a record, or a member of that name without its block. */
function memberText(value: unknown, field: Field): string | undefined {
  const [block = '', member = ''] = field.split('.');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const outer = value as Record<string, unknown>;
  const inner = outer[block];
  const found =
    typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[member] : outer[member];
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/**
 * Tables in which a row is not one learner in one course: columns for each course, cells that are empty because the row
 * above has their text, headings between the rows. Each becomes rows with added columns, named with a colon.
 */
import { type Columns, HeaderColumns, SHEET_COLUMN } from '../ground/columns.ts';
import type { Mapping } from '../language/schema.ts';
import { isAddressText } from './table-profile.ts';
import { anyOf } from '../ground/text-pattern.ts';
import { addressOf } from '../ground/user-name.ts';
import { mapped, type Pieces, piecewise } from '../read/pieces.ts';
import type { Row, Source } from '../read/open-source.ts';

/** How a mapping takes the rows of a table apart. */
export type Shape = Pick<Mapping, 'repeat' | 'fill_down' | 'headings'>;

/** The column of headings that name neither a learner nor a course. */
export const SECTION = ':section';

/** A column that a shape adds: its name says nothing. */
export const isOfShape = (column: string): boolean => column.startsWith(':');

export function addedColumns({ repeat = [], headings }: Shape): string[] {
  const names = repeat.flatMap(({ set = {}, from }) => [...Object.keys(set), ...Object.keys(from)]);
  return [...new Set([...(headings === undefined ? [] : [headings]), ...names])];
}

/** The columns of a file, and after them and the names of the file and the sheet those of its shape. */
export class ShapedColumns implements Columns {
  readonly #columns: Columns;
  readonly #added: readonly string[];
  readonly #width: number;
  /** A column was asked for that is not one of the file's own. */
  hasOthers = false;
  readonly is1904: boolean | undefined;

  constructor(columns: Columns, table: Source, shape: Shape) {
    this.#columns = columns;
    this.#added = addedColumns(shape);
    this.#width = table.columns.length;
    this.is1904 = table.is1904;
  }

  indexOf(name: string, wantedBy: string): number {
    const added = this.#added.indexOf(name);
    const index = added === -1 ? this.#columns.indexOf(name, wantedBy) : this.#width + 2 + added;
    this.hasOthers ||= index >= this.#width;
    return index;
  }
}

/** A table with the columns of its shape beside its own, and without the rows that its mapping skips. */
export function shapedSource(table: Source, mapping: Mapping): Source {
  if (table.format !== 'csv') return table;
  return {
    ...table,
    columns: [...table.columns, SHEET_COLUMN, ...addedColumns(mapping)],
    rows: () =>
      mapped(keptRows(table, mapping), (row) => {
        const { cells = [], sheet = '', added = [] } = row;
        return { ...row, cells: [...cells, sheet, ...added] };
      }),
  };
}

/** The rows of a table by its shape, without those that a mapping skips by a text. */
export function keptRows(table: Source, { skip = [], ...shape }: Shape & Pick<Mapping, 'skip'>): Pieces<Row> {
  const own = new HeaderColumns(table.path, table.columns, table.headerLine);
  const skips = skip.map(({ column, is = [] }) => ({ index: own.indexOf(column, 'skip'), isSkipped: anyOf(is) }));
  const isSkipped = (cells: readonly string[]): boolean =>
    skips.some((each) => each.isSkipped(cells[each.index] ?? ''));
  return shapedRows(table, shape, own)(isSkipped);
}

interface Block {
  readonly texts: ReadonlyMap<string, string>;
  readonly cells: readonly (readonly [name: string, index: number])[];
}

/** The rows of a table by its shape; a row with several courses is several rows of one line. */
export function shapedRows(table: Source, shape: Shape, columns: Columns): Source['rows'] {
  const added = addedColumns(shape);
  const filled = (shape.fill_down ?? []).map((name) => columns.indexOf(name, 'fill_down'));
  const blocks = (shape.repeat ?? []).map(({ set = {}, from }) => ({
    texts: new Map(Object.entries(set)),
    cells: Object.entries(from).map(([name, column]) => [name, columns.indexOf(column, 'repeat')] as const),
  }));
  return (skip) => {
    let heading = firstHeading(table);
    // Rejected rows have their headings in a column.
    const given = table.columns.indexOf(shape.headings ?? '');
    const above = new Map<number, string>();
    const isHeading = (cells: readonly string[]): boolean => {
      if (shape.headings === undefined || !isAlone(cells)) return false;
      // Of a learner among courses nothing is said.
      if (shape.headings === ':course' && isAddressText((cells[0] ?? '').trim())) return false;
      heading = headingText(cells[0] ?? '');
      return true;
    };
    const kept = table.rows((cells) => skip?.(cells) === true || isHeading(cells));
    return piecewise(kept, function* shaped(rows) {
      for (const row of rows) {
        const cells = filledDown(row.cells ?? [], filled, above);
        const own = new Map(shape.headings === undefined ? [] : [[shape.headings, cells[given] ?? heading]]);
        for (const texts of blocks.length === 0 ? [own] : blocks.flatMap((block) => textsOf(block, cells, own)))
          yield { ...row, cells, added: added.map((name) => texts.get(name) ?? '') } satisfies Row;
      }
    });
  };
}

/** Each block of a report may have its header again, below its heading: so has the first. */
const firstHeading = ({ rowAbove = [] }: Source): string => (isAlone(rowAbove) ? headingText(rowAbove[0] ?? '') : '');

/** Nothing but a first cell. */
export const isAlone = (cells: readonly string[]): boolean =>
  cells.every((cell, index) => (cell.trim() !== '') === (index === 0)) && cells.length > 0;

/** `Course: Security` is the course; of a learner the address counts. */
function headingText(text: string): string {
  const short = text.slice(0, 400).trim();
  const address = short.split(/[\s<>(),;:]+/).find((word) => addressOf(word) !== undefined);
  return address ?? short.replace(/^[\p{L} ]{1,30}:\s+/u, '');
}

function filledDown(
  cells: readonly string[],
  indexes: readonly number[],
  above: Map<number, string>,
): readonly string[] {
  if (indexes.length === 0) return cells;
  const copy = [...cells];
  for (const index of indexes) {
    const text = copy[index]?.trim() ?? '';
    if (text === '') copy[index] = above.get(index) ?? '';
    else above.set(index, text);
  }
  return copy;
}

/** A block whose cells are all empty gives no row. */
function textsOf(
  { texts, cells }: Block,
  row: readonly string[],
  own: ReadonlyMap<string, string>,
): Map<string, string>[] {
  const found = cells.map(([name, index]) => [name, row[index] ?? ''] as const);
  return found.every(([, text]) => text.trim() === '') ? [] : [new Map([...own, ...texts, ...found])];
}

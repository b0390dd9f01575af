/** An Excel workbook (.xlsx): its sheets, as rows of texts. */
import { refusalAt } from '../../ground/errors.ts';
import { HEADER_ROWS, type TableRow } from '../header.ts';
import type { InputFile } from '../bytes.ts';
import { piecewise, type Pieces } from '../pieces.ts';
import { openArchive } from './archive.ts';
import { readSharedStrings, type SharedStrings } from './shared-strings.ts';
import { CellCount, sheetRows } from './sheet-rows.ts';
import { readWorkbook } from './workbook.ts';

export interface SheetReader {
  readonly name: string;
  readonly isHidden: boolean;
  /** Of its workbook: days count from 1904, not from 1900. */
  readonly is1904: boolean;
  /** All rows with a value, as wide as the widest of the first ones. Each call reads the file again. */
  rows(): Pieces<TableRow>;
}

/** A header has at least this share of the columns. */
const MOST_NARROW = 0.6;

const beginsWith = (head: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, index) => head[index] === byte);

export const isArchive = (head: Uint8Array): boolean => beginsWith(head, [0x50, 0x4b, 3, 4]);

/** True for a file in the format of Excel before 2007, which is also that of a workbook with a password. */
export const isOldWorkbook = (head: Uint8Array): boolean => beginsWith(head, [0xd0, 0xcf, 0x11, 0xe0]);

/** The sheets, hidden ones last. @throws EngineError for a file that is no workbook, or a damaged or hostile one */
export async function openSheets(file: InputFile): Promise<SheetReader[]> {
  const path = file.name;
  const archive = await openArchive(file);
  const { sheets, sharedStrings, numberTexts, is1904 } = await readWorkbook(path, archive);
  // The texts of a large workbook take seconds to read, so they are kept.
  let strings: Promise<SharedStrings> | undefined;
  return sheets.map(({ name, isHidden, part }) => {
    async function* rows() {
      strings ??= readSharedStrings(path, archive, sharedStrings);
      yield* sheetRows(path, archive, part, { numberTexts, strings: await strings });
    }
    return { name, isHidden, is1904, rows: () => evenRows(path, rows()) };
  });
}

/** A sheet leaves out the empty cells at the end of a row, which a table needs; title lines above the table stay short. */
async function* evenRows(path: string, rows: Pieces<TableRow>): AsyncGenerator<Iterable<TableRow>> {
  const first: TableRow[] = [];
  const count = new CellCount(path);
  let width: number | undefined;
  yield* piecewise(rows, function* even(piece) {
    for (const row of piece) {
      if (width !== undefined) {
        count.add(row.line, row.cells.length, width - row.cells.length);
        yield evenRow(path, row, width);
      } else if (first.push(row) === HEADER_ROWS) {
        width = widthOf(first);
        yield* evenTable(path, first.splice(0), width);
      }
    }
  });
  yield evenTable(path, first, widthOf(first));
}

function* evenTable(path: string, rows: readonly TableRow[], width: number): Generator<TableRow> {
  const top = rows.findIndex(({ cells }) => cells.length >= width * MOST_NARROW);
  for (const [index, row] of rows.entries()) yield index < top ? row : evenRow(path, row, width);
}

const widthOf = (rows: readonly TableRow[]): number => Math.max(...rows.map(({ cells }) => cells.length));

function evenRow(path: string, { line, cells }: TableRow, width: number): TableRow {
  if (cells.length > width)
    throw refusalAt(path, { line, column: width + 1 }, 'value_beyond_table', { columns: width });
  return cells.length === width
    ? { line, cells }
    : { line, cells: [...cells, ...Array<string>(width - cells.length).fill('')] };
}

/** An Excel workbook (.xlsx): one of its sheets, as rows of texts. */
import { SourceError, UsageError } from '../../errors.ts';
import { HEADER_ROWS, type TableRow } from '../../mapping/header.ts';
import { Archive } from './archive.ts';
import { readSharedStrings } from './shared-strings.ts';
import { sheetRows } from './sheet-rows.ts';
import { readWorkbook, type Sheet, type Workbook } from './workbook.ts';

interface SheetReader {
  /** Name of the sheet. */
  readonly sheet: string;
  /** All rows with a value, as wide as the widest of the first ones. Each call reads the file again. */
  rows(): AsyncGenerator<TableRow>;
}

/** A header has at least this share of the columns. */
const MOST_NARROW = 0.6;

/** The first bytes of a ZIP archive. */
export const isArchive = (head: Buffer): boolean => head.subarray(0, 4).toString('latin1') === 'PK\x03\x04';

/** The first bytes of the format of Excel before 2007, which is also that of a workbook with a password. */
export const isOldWorkbook = (head: Buffer): boolean => head.subarray(0, 4).toString('hex') === 'd0cf11e0';

/**
 * Opens a sheet: the one with this name, or the first that is not hidden.
 *
 * @throws UsageError for a file that is no workbook, a damaged or hostile one, and a sheet that it does not have
 */
export async function openSheet(path: string, wanted: string | undefined): Promise<SheetReader> {
  const { name, part } = await withWorkbook(path, async (_, { sheets }) => sheetNamed(path, sheets, wanted));
  // What all cells share is kept: the texts of a large workbook take seconds to read.
  let content: Content | undefined;
  async function* rows(): AsyncGenerator<TableRow> {
    const archive = await Archive.open(path);
    try {
      content ??= await contentOf(path, archive);
      yield* sheetRows(path, archive, part, content);
    } finally {
      archive.close();
    }
  }
  return { sheet: name, rows: () => evenRows(path, rows()) };
}

async function withWorkbook<T>(path: string, step: (archive: Archive, workbook: Workbook) => Promise<T>): Promise<T> {
  const archive = await Archive.open(path);
  try {
    return await step(archive, await readWorkbook(path, archive));
  } finally {
    archive.close();
  }
}

function sheetNamed(path: string, sheets: readonly Sheet[], wanted: string | undefined): Sheet {
  const found =
    wanted === undefined
      ? sheets[0]
      : (sheets.find(({ name }) => name === wanted) ??
        sheets.find(({ name }) => name.trim().toLowerCase() === wanted.trim().toLowerCase()));
  if (found !== undefined) return found;
  const names = sheets.slice(0, 10).map(({ name }) => `"${name}"`);
  const more = sheets.length > 10 ? ` and ${sheets.length - 10} more` : '';
  throw new UsageError(`${path} has no sheet "${wanted}". Its sheets are ${names.join(', ')}${more}.`);
}

/** A sheet leaves out the empty cells at the end of a row, which a table needs; title lines above the table stay short. */
async function* evenRows(path: string, rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  const first: TableRow[] = [];
  let width: number | undefined;
  for await (const row of rows) {
    if (width !== undefined) yield evenRow(path, row, width);
    else if (first.push(row) === HEADER_ROWS) {
      width = widthOf(first);
      yield* evenTable(path, first.splice(0), width);
    }
  }
  yield* evenTable(path, first, widthOf(first));
}

function* evenTable(path: string, rows: readonly TableRow[], width: number): Generator<TableRow> {
  const top = rows.findIndex(({ cells }) => cells.length >= width * MOST_NARROW);
  for (const [index, row] of rows.entries()) yield index < top ? row : evenRow(path, row, width);
}

type Content = Parameters<typeof sheetRows>[3];

async function contentOf(path: string, archive: Archive): Promise<Content> {
  const { numberTexts, sharedStrings } = await readWorkbook(path, archive);
  return { numberTexts, strings: await readSharedStrings(path, archive, sharedStrings) };
}

const widthOf = (rows: readonly TableRow[]): number => Math.max(...rows.map(({ cells }) => cells.length));

function evenRow(path: string, { line, cells }: TableRow, width: number): TableRow {
  if (cells.length > width)
    throw new SourceError(
      path,
      { line, column: width + 1 },
      `there is a value beyond the last column of the table, which has ${width}. Delete it, or give its column a header.`,
    );
  return cells.length === width
    ? { line, cells }
    : { line, cells: [...cells, ...Array<string>(width - cells.length).fill('')] };
}

import { sha256Hex } from '../ground/digest.ts';
import { say } from '../ground/codes.ts';
import { noRows, refusal, refusalAt } from '../ground/errors.ts';
import {
  filled,
  guessDelimiter,
  HEADER_ROWS,
  headerIn,
  type HeaderWanted,
  isOtherHeader,
  isSameHeader,
  type TableRow,
} from './header.ts';
import { type Meter, within } from './budget.ts';
import { extensionOf, type Format, type InputFile } from './bytes.ts';
import { csvRows } from './csv.ts';
import { encodingOf } from './encoding.ts';
import { jsonArrayRows, ndjsonRows } from './json.ts';
import { type FoundLists, isOneObject, type KeyedLists, listsOfRows } from './json-lists.ts';
import { mapped, type Pieces } from './pieces.ts';
import { firstRows, type FoundSheet, joinedRows, tableIn } from './sheets.ts';
import { isArchive, isOldWorkbook, openSheets, type SheetReader } from './spreadsheet/spreadsheet.ts';
import { type Encoding, type Inspection, inspectFile, MAX_ROW_BYTES } from './text-file.ts';

export interface SourceOptions {
  readonly format?: Format;
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Name of the one sheet of a spreadsheet that is read; by default the first with a table, and those with the same header. */
  readonly sheet?: string;
}

/** The texts that replace those of a row, by its line and the position of the cell. */
export type Corrections = Readonly<Record<number, Readonly<Record<number, string>>>>;

export interface OpenOptions extends SourceOptions {
  /** Cells that a person corrected: they replace those of the file. */
  readonly corrections?: Corrections | undefined;
  /** The time of reading, in milliseconds: what is done has no later day. */
  readonly now?: number | undefined;
  /** What measures the work of reading, which has a limit then. */
  readonly meter?: Meter | undefined;
}

/** One row of a table, or one item of a JSON file. */
export interface Row {
  /** Line of the file, from 1: the first of a table row, the last of a JSON item; those of further sheets count on. */
  readonly line: number;
  readonly sheet?: string;
  /** The line in its sheet, of further sheets. */
  readonly lineOfSheet?: number;
  /** The texts of a table row, one for each column of the header. */
  readonly cells?: readonly string[];
  /** The texts of the columns that a mapping adds to a table. */
  readonly added?: readonly string[];
  readonly value?: unknown;
  /** What the file says before the list of its items. */
  readonly around?: unknown;
}

/** True for a row that does not count, like totals; such a row may have any width. */
type Skip = (cells: readonly string[]) => boolean;

/** A file that was inspected and can be read row by row, any number of times. */
export interface Source extends Pick<OpenOptions, 'now' | 'meter'> {
  /** Name of the file, for messages; a path where there are paths. */
  readonly path: string;
  readonly format: Format;
  readonly sheet?: string;
  /** Numbers that are days count from 1904, not from 1900. */
  readonly is1904?: boolean;
  /** It was asked for, so that no other sheet is read. */
  readonly isSheetChosen?: boolean;
  /** Path of the items in JSON, if not the first array; `data.*`: all arrays in `data`; `data.{}`: its members. */
  readonly items?: string | undefined;
  /** Such a path, where the arrays have items of the same members, and the names of the arrays. */
  readonly keyed?: KeyedLists | undefined;
  /** All sheets of a spreadsheet, or lists of a JSON file that has several, and why some of them are not read. */
  readonly sheets?: readonly FoundSheet[];
  /** SHA-256 of its bytes, and of the name of its sheet if it was chosen; hexadecimal. */
  readonly hash: string;
  /** SHA-256 of its bytes alone; hexadecimal. */
  readonly sha256: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly crlf: boolean;
  readonly bom: boolean;
  /** The header of a table; empty for a JSON file. */
  readonly columns: readonly string[];
  readonly headerLine: number;
  readonly above?: string;
  readonly rowAbove?: readonly string[] | undefined;
  /** Rows after the header that are not skipped. @throws EngineError for a row of another width than the header */
  rows(skip?: Skip): Pieces<Row>;
  /** Rows after the header, of any width. */
  anyRows(): Pieces<Row>;
  /** The same file with its header elsewhere, or its JSON items at a path. */
  under(wanted: HeaderWanted & { readonly items?: string | undefined }): Promise<Source>;
}

interface TableReader {
  rows(): Pieces<TableRow>;
  /** The other sheets of a workbook. */
  readonly others?: readonly SheetReader[];
  /** The table with other corrections is another file: its hash says so. */
  readonly corrections?: Corrections | undefined;
}

type FileFacts = Omit<Source, 'columns' | 'headerLine' | 'above' | 'rowAbove' | 'rows' | 'anyRows' | 'under'>;

/** @throws EngineError for a file, or a place in it, that cannot be read */
export async function openSource(input: InputFile, options: OpenOptions = {}): Promise<Source> {
  const path = input.name;
  const found = await inspectFile(input);
  if (isArchive(found.head)) return spreadsheetSource(input, found, options);
  refuseOtherFormat(path, found.head);
  const encoding = encodingOf(path, found, options.encoding);
  const head = new TextDecoder(encoding).decode(found.head, { stream: true });
  refuseOtherText(path, head);
  const format = options.format ?? formatOf(path, head);
  refuseOverlongLines(path, format, found);
  const delimiter = options.delimiter ?? guessDelimiter(head);
  const { hash, crlf, bom } = found;
  const { now, meter } = options;
  const identity = { path, hash, sha256: hash };
  const file = { ...identity, format, encoding, delimiter, crlf, bom: bom !== undefined, now, meter };
  return format === 'csv'
    ? tableSource(file, {
        rows: () => within(csvRows(input, encoding, delimiter), input, options.meter),
        corrections: options.corrections,
      })
    : jsonSource(file, input, format === 'json' ? await listsOfRows(input, encoding) : { lists: [] });
}

function refuseOtherFormat(path: string, head: Uint8Array): void {
  if (isOldWorkbook(head)) throw refusal('file_of_old_excel', { path });
  if (head[0] === 0x1f && head[1] === 0x8b) throw refusal('file_compressed', { path });
  if (new TextDecoder('latin1').decode(head.subarray(0, 5)) === '%PDF-') throw refusal('file_is_pdf', { path });
}

async function spreadsheetSource(
  input: InputFile,
  { hash }: Inspection,
  { sheet: wanted, corrections, now, meter }: OpenOptions,
): Promise<Source> {
  const opened = await openSheets(input);
  const sheets = opened.map((sheet) => ({ ...sheet, rows: () => within(sheet.rows(), input, meter) }));
  const main = await tableIn(input.name, sheets, wanted);
  const others = sheets.filter((each) => each !== main);
  const own = wanted === undefined ? hash : sha256Hex(`${hash}\n${main.name}`);
  const asCsv = { format: 'csv', encoding: 'utf-8', delimiter: ',', crlf: false, bom: false } as const;
  const isSheetChosen = wanted !== undefined;
  const { name: sheet, is1904 } = main;
  const file = { ...asCsv, path: input.name, sheet, is1904, isSheetChosen, hash: own, sha256: hash, now, meter };
  return tableSource(file, { rows: () => main.rows(), others, corrections });
}

async function tableSource(file: FileFacts, reader: TableReader, wanted?: HeaderWanted): Promise<Source> {
  const first = await firstRows(reader.rows(), (row) => refuseTooWide(file.path, row));
  async function* inMemory() {
    yield first;
  }
  // A table that ends among them is not read again.
  const again = first.length < HEADER_ROWS ? { ...reader, rows: () => inMemory() } : reader;
  const header = headerIn(first, wanted);
  if (header === undefined) throw noRows(file.path);
  const columns = header.cells.map((cell) => cell.trim());
  const { others = [], corrections = {} } = reader;
  const joined = await joinedRows(columns, others, file.isSheetChosen === true);
  const own = (row: TableRow): Row => {
    const corrected = corrections[row.line];
    if (file.sheet === undefined && corrected === undefined) return row;
    return { sheet: file.sheet ?? '', ...row, cells: row.cells.map((cell, index) => corrected?.[index] ?? cell) };
  };
  const isBelow = ({ line, cells }: TableRow): boolean => line > header.line && !isSameHeader(cells, columns);
  const below = (checked: (row: TableRow) => Row | undefined = own): Pieces<Row> => {
    let above: TableRow = header;
    return mapped(joined.rows(again.rows()), (given) => {
      if (isOtherHeader(given.cells, columns)) refuseOtherTable(file.path, given, above, header);
      above = given;
      return isBelow(given) ? checked(given) : undefined;
    });
  };
  return {
    ...file,
    ...(Object.keys(corrections).length > 0 && { hash: sha256Hex(`${file.hash}\n${JSON.stringify(corrections)}`) }),
    ...(file.sheet !== undefined && {
      sheets: [{ name: file.sheet, isImported: true, reason: null }, ...joined.sheets],
    }),
    columns,
    headerLine: header.line,
    above: first.flatMap(({ line, cells }) => (line < header.line ? cells : [])).join(' '),
    rowAbove: first.findLast(({ line }) => line < header.line)?.cells,
    anyRows: () => below(),
    rows: (skip) => below(checkedRow(file.path, columns.length, own, skip)),
    under: (other) => tableSource(file, again, other),
  };
}

/** @param found paths of arrays, the first of which is read */
function jsonSource(file: FileFacts, input: InputFile, { lists: [items, ...others], keyed }: FoundLists): Source {
  const reason = say('list_beside', {});
  const rows = (): Pieces<Row> =>
    within(
      file.format === 'json' ? jsonArrayRows(input, file.encoding, items) : ndjsonRows(input, file.encoding),
      input,
      file.meter,
    );
  const isKeyed = items !== undefined && items === keyed?.path;
  const read = isKeyed ? keyed.names : [items ?? ''];
  const left = isKeyed ? [] : others;
  return {
    ...file,
    items,
    keyed,
    ...(items !== undefined &&
      read.length + left.length > 1 && {
        sheets: [
          ...read.map((name) => ({ name, isImported: true, reason: null })),
          ...left.map((name) => ({ name, isImported: false, reason })),
        ],
      }),
    columns: [],
    headerLine: 0,
    rows,
    anyRows: rows,
    under: async ({ items: wanted }) =>
      jsonSource(file, input, {
        lists: wanted === undefined ? [] : [wanted, ...others.filter((each) => each !== wanted)],
        keyed,
      }),
  };
}

/** Below a heading, another table may say what became of its rows. */
function refuseOtherTable(path: string, { line }: TableRow, above: TableRow, header: TableRow): void {
  if (above.line <= header.line || filled(above) < 2) return;
  throw refusalAt(path, { line }, 'columns_named_anew', {});
}

/** Excel's limit of a sheet. */
const MAX_COLUMNS = 16_384;

function refuseTooWide(path: string, { line, cells: { length } }: TableRow): void {
  if (length > MAX_COLUMNS) throw refusalAt(path, { line }, 'table_too_wide', { columns: length, most: MAX_COLUMNS });
}

/** The first line of a dump below its comments. */
const SQL = /^\s*(?:INSERT INTO|CREATE TABLE|DROP TABLE|SET \w+ ?=|COPY \S+ ?\()/i;

/** Some systems name a web page `.csv` or `.xls`: the form of a login, or a table that only Excel opens. */
function refuseOtherText(path: string, head: string): void {
  if (SQL.test(head.split('\n').find((line) => !/^\s*(?:--|\/\*|$)/.test(line)) ?? ''))
    throw refusal('file_is_sql_dump', { path });
  if (!/^\s*<(?:!|\?xml|html|head|meta|body|table|workbook)/i.test(head)) return;
  if (/<(?:table|\w*:?workbook)\b/i.test(head)) throw refusal('file_is_table_of_html', { path });
  const isPage = /<(?:!doctype html|html|head|meta|body)\b/i.test(head);
  throw refusal(isPage ? 'file_is_web_page' : 'file_is_xml', { path });
}

/** A row that does not fit is refused, never corrected; empty cells beyond the header are no difference. */
const checkedRow =
  (path: string, width: number, own: (row: TableRow) => Row, skip?: Skip) =>
  (given: TableRow): Row | undefined => {
    const row = own(given);
    const { cells = [], line } = row;
    if (skip?.(cells) === true) return undefined;
    if (cells.length === width) return row;
    if (cells.length < width || cells.slice(width).some((cell) => cell.trim() !== ''))
      throw otherWidth(path, line, cells, width);
    return { ...row, cells: cells.slice(0, width) };
  };

function otherWidth(path: string, line: number, { length, 0: first = '' }: readonly string[], width: number) {
  const place = { line, column: Math.min(length, width) };
  return length <= 2 && width > 2
    ? refusalAt(path, place, 'row_may_be_title', { columns: length, header: width, text: first.slice(0, 40) })
    : refusalAt(path, place, 'row_of_other_width', { columns: length, header: width });
}

function formatOf(path: string, head: string): Format {
  const extension = extensionOf(path);
  if (extension === '.csv' || extension === '.tsv') return 'csv';
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson';
  const text = head.trimStart();
  if (text.startsWith('{')) return isOneObject(text) ? 'json' : 'ndjson';
  return text.startsWith('[') || extension === '.json' ? 'json' : 'csv';
}

/** A JSON array of any size may be one line. */
function refuseOverlongLines(path: string, format: Format, { overlong }: Inspection): void {
  if (format === 'json' || overlong === undefined) return;
  throw refusalAt(path, overlong, 'line_too_long', { bytes: MAX_ROW_BYTES });
}

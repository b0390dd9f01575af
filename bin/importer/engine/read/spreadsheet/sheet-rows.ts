/** The rows of one sheet, streaming. */
import { refusalAt } from '../../ground/errors.ts';
import type { TableRow } from '../header.ts';
import { MAX_ROW_BYTES } from '../text-file.ts';
import { type Archive, MAX_SHEET_BYTES } from './archive.ts';
import { builtInFormat, type NumberText, numberText } from './number-format.ts';
import type { SharedStrings } from './shared-strings.ts';
import type { Workbook } from './workbook.ts';
import { type Attributes, unescaped, xmlPieces } from './xml.ts';

/** Excel's limits: rows of a sheet, columns of a row. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** Empty cells for a cell with a value, beside those that are free. */
const MAX_EMPTY_RATIO = 50;
const FREE_EMPTY_CELLS = 2_000_000;

/** Counts the cells of a table, so that a few values far to the right do not become billions of empty cells. */
export class CellCount {
  readonly #path: string;
  #empty = 0;
  #filled = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws EngineError for a table that is nearly empty */
  add(line: number, filled: number, empty: number): void {
    this.#filled += filled;
    this.#empty += empty;
    if (this.#empty > FREE_EMPTY_CELLS + this.#filled * MAX_EMPTY_RATIO)
      throw refusalAt(this.#path, { line }, 'table_nearly_empty', {});
  }
}

const GENERAL = numberText(builtInFormat(0), false);

/** Rows with a value. @throws EngineError for a row or a cell beyond Excel's limits, and a damaged part */
export async function* sheetRows(
  path: string,
  archive: Archive,
  part: string,
  { numberTexts, strings }: Pick<Workbook, 'numberTexts'> & { readonly strings: SharedStrings },
): AsyncGenerator<Iterable<TableRow>> {
  const parser = new RowParser(path, numberTexts, strings);
  if (!archive.has(part)) throw refusalAt(path, { line: 1 }, 'sheet_missing', {});
  for await (const _ of xmlPieces(path, archive.text(part, MAX_SHEET_BYTES), parser)) yield parser.take();
}

class RowParser {
  readonly #path: string;
  readonly #numberTexts: readonly NumberText[];
  readonly #strings: SharedStrings;
  readonly #count: CellCount;
  #rows: TableRow[] = [];
  #line = 0;
  #cells: string[] = [];
  #column = 0;
  #bytes = 0;
  #type = 'n';
  #style = 0;
  #text = '';
  #isText = false;
  #isPhonetic = false;

  constructor(path: string, numberTexts: readonly NumberText[], strings: SharedStrings) {
    this.#path = path;
    this.#numberTexts = numberTexts;
    this.#strings = strings;
    this.#count = new CellCount(path);
  }

  take(): TableRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'row') this.#beginRow(attributes);
    else if (tag === 'c') this.#beginCell(attributes);
    else if (tag === 'rPh') this.#isPhonetic = true;
    else if (tag === 'v' || tag === 't') this.#isText = !this.#isPhonetic;
  }

  text(piece: string): void {
    if (!this.#isText) return;
    this.#text += piece;
    this.#bytes += piece.length;
    this.#checkSize();
  }

  close(tag: string): void {
    if (tag === 'v' || tag === 't') this.#isText = false;
    else if (tag === 'rPh') this.#isPhonetic = false;
    else if (tag === 'c') this.#endCell();
    else if (tag === 'row') this.#endRow();
  }

  #beginRow({ r }: Attributes): void {
    const line = r === undefined ? this.#line + 1 : Number(r);
    if (!Number.isInteger(line) || line <= this.#line || line > MAX_ROWS)
      throw refusalAt(this.#path, { line: this.#line + 1 }, 'row_misnumbered', {
        number: String(r).slice(0, 20),
        most: MAX_ROWS,
      });
    this.#line = line;
    this.#cells = [];
    this.#column = 0;
    this.#bytes = 0;
  }

  #beginCell({ r, t = 'n', s }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    if (!(this.#column > this.#cells.length && this.#column <= MAX_COLUMNS))
      throw refusalAt(this.#path, { line: this.#line }, 'cell_misplaced', { cell: String(r).slice(0, 20) });
    this.#type = t;
    this.#style = Number(s ?? 0);
    this.#text = '';
  }

  #endCell(): void {
    const text = this.#cellText();
    if (text === '') return;
    this.#count.add(this.#line, 1, this.#column - 1 - this.#cells.length);
    while (this.#cells.length < this.#column - 1) this.#cells.push('');
    this.#cells.push(text);
  }

  #cellText(): string {
    const text = this.#text;
    if (text === '') return '';
    if (this.#type === 'n') return (this.#numberTexts[this.#style] ?? GENERAL)(text);
    if (this.#type === 's') return this.#sharedText(text);
    if (this.#type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
    return unescaped(text);
  }

  #sharedText(index: string): string {
    const text = this.#strings.get(Number(index));
    if (text === undefined)
      throw refusalAt(this.#path, { line: this.#line, column: this.#column }, 'cell_text_missing', {});
    this.#bytes += text.length;
    this.#checkSize();
    return text;
  }

  #checkSize(): void {
    if (this.#bytes > MAX_ROW_BYTES) throw refusalAt(this.#path, { line: this.#line }, 'row_too_long', {});
  }

  #endRow(): void {
    if (this.#cells.some((cell) => cell.trim() !== '')) this.#rows.push({ line: this.#line, cells: this.#cells });
  }
}

/** The number of a column, from 1: `AB12` is in the 28th. */
function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < 4; i += 1) {
    const letter = (reference.charCodeAt(i) | 32) - 96;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  return column;
}

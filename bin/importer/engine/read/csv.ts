/** CSV (RFC 4180): its rows as they are read, and its lines as they are written. */
import type { Code, Codes } from '../ground/codes.ts';
import { type EngineError, refusalAt } from '../ground/errors.ts';
import type { TableRow } from './header.ts';
import type { InputFile } from './bytes.ts';
import { mapped, type Pieces } from './pieces.ts';
import { decodedText, type Encoding, MAX_ROW_BYTES } from './text-file.ts';

/** Rows of any width, no empty lines, no `sep=;`. @throws EngineError for a misplaced quote or a row over 1 MiB */
export function csvRows(file: InputFile, encoding: Encoding, delimiter: string): Pieces<TableRow> {
  const cutter = new RowCutter(file.name, delimiter);
  let isFirst = true;
  async function* cut() {
    for await (const piece of decodedText(file, encoding)) yield cutter.read(piece);
    yield cutter.end();
  }
  return mapped(cut(), (row) => {
    if (row.cells.every((cell) => cell.trim() === '')) return undefined;
    const isKept = !isFirst || !namesDelimiter(row);
    isFirst = false;
    return isKept ? row : undefined;
  });
}

/** A spreadsheet writes `sep=;` for itself. */
const namesDelimiter = ({ cells: [first = '', ...others] }: TableRow): boolean =>
  /^sep=.?$/i.test(first.trim()) && others.every((cell) => cell === '');

/** `="00123"` is written for a spreadsheet, so that it reads no number; the quotes around it may be doubled. */
const textOfFormula = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;

/** A copy: a cell that is kept for long must not keep the whole piece of the file in memory. */
const copied = (text: string): string => ` ${text}`.slice(1);

const LINE_BREAK = /\r\n|\n|\r/;
const QUOTE = '"'.charCodeAt(0);
const LF = '\n'.charCodeAt(0);
const CR = '\r'.charCodeAt(0);

/** Cuts a text that arrives in pieces into rows, blank ones too. All rows end as the first one does: with CRLF, LF or CR. */
export class RowCutter {
  readonly #name: string;
  readonly #delimiter: string;
  #text = '';
  #isLast = false;
  #newline: string | undefined;
  #line = 1;
  #column = 1;

  constructor(name: string, delimiter: string) {
    this.#name = name;
    this.#delimiter = delimiter;
  }

  *read(piece: string): Generator<TableRow> {
    this.#text += piece;
    let start = 0;
    let quote = this.#text.indexOf('"');
    while (start < this.#text.length) {
      if (quote !== -1 && quote < start) quote = this.#text.indexOf('"', start);
      const row = this.#rowAt(start, quote);
      if (row === undefined) break;
      yield { line: this.#line, cells: row.cells };
      this.#line += row.lines;
      start = row.end + (this.#newline?.length ?? 0);
    }
    this.#text = this.#text.slice(start);
    this.#checkLength(this.#text.length);
  }

  *end(): Generator<TableRow> {
    this.#isLast = true;
    yield* this.read('');
  }

  /** Two quotes that belong to no pair make one cell of the rows between them: these would be lost. */
  #refuseRowsIn(cells: readonly string[]): void {
    const isRow = (line: string): boolean => line.split(this.#delimiter).length === cells.length;
    for (const [index, cell] of cells.entries()) {
      const [, ...others] = cells.length < 3 ? [] : cell.split(LINE_BREAK);
      if (others.length === 0 || !others.every(isRow)) continue;
      this.#column = index + 1;
      throw this.#refusal('quote_around_rows', { lines: others.length });
    }
  }

  /**
   * The cells of a row, its lines, and the place of its line break; `undefined` if the row may continue in the next piece.
   *
   * @param quote the place of the next quote; -1 for none
   */
  #rowAt(start: number, quote: number) {
    const end = this.#newline === undefined ? start : this.#text.indexOf(this.#newline, start);
    if (end === -1 && !this.#isLast) return undefined;
    if (end <= start || (quote !== -1 && quote < end)) return this.#quotedRowAt(start);
    this.#checkLength(end - start);
    return { cells: copied(this.#text.slice(start, end)).split(this.#delimiter), lines: 1, end };
  }

  #quotedRowAt(start: number) {
    const cells: string[] = [];
    for (let at = start; ;) {
      this.#column = cells.length + 1;
      const cell = this.#cellAt(at);
      // A line break may have two characters.
      if (cell === undefined || (!this.#isLast && cell.after + 2 > this.#text.length)) return undefined;
      const { text, after: end } = cell;
      cells.push(textOfFormula(copied(text)));
      if (end >= this.#text.length || this.#isNewline(end)) {
        this.#checkLength(end - start);
        const lines = this.#text.slice(start, end).split(LINE_BREAK).length;
        if (lines > 1) this.#refuseRowsIn(cells);
        return { cells, lines, end };
      }
      if (this.#text[end] !== this.#delimiter) throw this.#refusal('text_after_quote', {});
      at = end + 1;
    }
  }

  /** The text of a cell without its quotes, and the place behind them. */
  #cellAt(at: number): { readonly text: string; readonly after: number } | undefined {
    const opening = this.#text.startsWith('="', at) ? at + 1 : at;
    if (this.#text.charCodeAt(opening) !== QUOTE) {
      const after = this.#bareEnd(at);
      return { text: this.#text.slice(at, after), after };
    }
    const end = this.#closingQuote(opening + 1);
    return end === undefined
      ? undefined
      : { text: this.#text.slice(opening + 1, end).replaceAll('""', '"'), after: end + 1 };
  }

  #closingQuote(from: number): number | undefined {
    for (let at = this.#text.indexOf('"', from); at !== -1; at = this.#text.indexOf('"', at + 2))
      if (this.#text.charCodeAt(at + 1) !== QUOTE) return at;
    if (this.#isLast) throw this.#refusal('quote_never_closes', {});
    return undefined;
  }

  #bareEnd(from: number): number {
    const delimiter = this.#delimiter.charCodeAt(0);
    let at = from;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text.charCodeAt(at);
      if (character === delimiter) return at;
      if ((character === LF || character === CR) && this.#isNewline(at)) return at;
      if (character === QUOTE) throw this.#refusal('quote_inside_text', {});
    }
    return at;
  }

  #isNewline(at: number): boolean {
    if (this.#newline !== undefined) return this.#text.startsWith(this.#newline, at);
    const found = /(?:\r\n|\n|\r)/y;
    found.lastIndex = at;
    const [newline] = found.exec(this.#text) ?? [];
    if (this.#isLast || at + 2 <= this.#text.length) this.#newline = newline;
    return newline !== undefined;
  }

  #checkLength(length: number): void {
    if (length > MAX_ROW_BYTES) throw this.#refusal('csv_row_too_long', {});
  }

  #refusal<Some extends Code>(code: Some, params: Codes[Some]): EngineError {
    return refusalAt(this.#name, { line: this.#line, column: this.#column }, code, params);
  }
}

/** A spreadsheet runs a cell that begins like this, and shows one that begins with an apostrophe as text. */
const FORMULA = /^[=+\-@\t\r]/;

/** For a cell that will not be imported again: a formula becomes a text. */
export const defused = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** One line of CSV, with quotes only where they are needed (RFC 4180). */
export function csvLine(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
}

function quoted(cell: string, delimiter: string): string {
  const isPlain = !cell.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(cell);
  return isPlain ? cell : `"${cell.replaceAll(/"{1,999}/g, (run) => run + run)}"`;
}

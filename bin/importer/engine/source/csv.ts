/** CSV (RFC 4180): its rows as they are read, and its lines as they are written. */
import { SourceError } from '../errors.ts';
import type { TableRow } from '../mapping/header.ts';
import type { InputFile } from './bytes.ts';
import { mapped, type Pieces } from './pieces.ts';
import { decodedText, type Encoding, MAX_ROW_BYTES } from './text-file.ts';

/** Rows of any width, no empty lines, no `sep=;`. @throws SourceError for a misplaced quote or a row over 1 MiB */
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

/** The place of a cell in the text of its row, without its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The place of the character behind the cell and its quotes. */
  readonly after: number;
}

interface RowSpan {
  /** `undefined` for a row without quotes: its cells end at every delimiter. */
  readonly spans: readonly Span[] | undefined;
  /** The place of its line break. */
  readonly end: number;
}

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
      yield this.#rowOf(start, row);
      start = row.end + (this.#newline?.length ?? 0);
    }
    this.#text = this.#text.slice(start);
    this.#checkLength(this.#text);
  }

  *end(): Generator<TableRow> {
    this.#isLast = true;
    yield* this.read('');
  }

  #rowOf(start: number, { spans, end }: RowSpan): TableRow {
    // A copy: a cell that is kept for long must not keep the whole piece of the file in memory.
    const text = ` ${this.#text.slice(start, end)}`.slice(1);
    this.#checkLength(text);
    const line = this.#line;
    if (spans === undefined) {
      this.#line += 1;
      return { line, cells: text.split(this.#delimiter) };
    }
    this.#line += text.split(/\r\n|\n|\r/).length;
    const cells = spans.map((span) => {
      const cell = text.slice(span.start - start, span.end - start);
      return textOfFormula(span.isQuoted ? cell.replaceAll('""', '"') : cell);
    });
    return { line, cells };
  }

  /** `undefined` if the row may continue in the next piece. @param quote the place of the next quote; -1 for none */
  #rowAt(start: number, quote: number): RowSpan | undefined {
    const end = this.#newline === undefined ? start : this.#text.indexOf(this.#newline, start);
    if (end === -1 && !this.#isLast) return undefined;
    return end > start && (quote === -1 || quote > end) ? { spans: undefined, end } : this.#quotedRowAt(start);
  }

  #quotedRowAt(start: number): RowSpan | undefined {
    const spans: Span[] = [];
    for (let at = start; ;) {
      this.#column = spans.length + 1;
      const span = this.#cellAt(at);
      // A line break may have two characters.
      if (span === undefined || (!this.#isLast && span.after + 2 > this.#text.length)) return undefined;
      const { after } = span;
      spans.push(span);
      if (after >= this.#text.length || this.#isNewline(after)) return { spans, end: after };
      if (this.#text[after] !== this.#delimiter)
        throw this.#error('there is text after a closing quote. Write a quote inside a quoted text twice.');
      at = after + 1;
    }
  }

  #cellAt(at: number): Span | undefined {
    const opening = this.#text.startsWith('="', at) ? at + 1 : at;
    if (this.#text.charCodeAt(opening) !== QUOTE) {
      const end = this.#bareEnd(at);
      return { start: at, end, isQuoted: false, after: end };
    }
    const end = this.#closingQuote(opening + 1);
    return end === undefined ? undefined : { start: opening + 1, end, isQuoted: true, after: end + 1 };
  }

  #closingQuote(from: number): number | undefined {
    for (let at = this.#text.indexOf('"', from); at !== -1; at = this.#text.indexOf('"', at + 2))
      if (this.#text.charCodeAt(at + 1) !== QUOTE) return at;
    if (this.#isLast) throw this.#error('a quote opens in this row and never closes.');
    return undefined;
  }

  #bareEnd(from: number): number {
    const delimiter = this.#delimiter.charCodeAt(0);
    let at = from;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text.charCodeAt(at);
      if (character === delimiter) return at;
      if ((character === LF || character === CR) && this.#isNewline(at)) return at;
      if (character === QUOTE) throw this.#error('there is a quote inside a text that is not quoted.');
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

  #checkLength(text: string): void {
    if (text.length > MAX_ROW_BYTES) throw this.#error('the row is longer than 1 MiB. Is a closing quote missing?');
  }

  #error(problem: string): SourceError {
    return new SourceError(this.#name, { line: this.#line, column: this.#column }, problem);
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

import { pipeline, Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { SourceError } from '../errors.ts';
import { decodedText, type Encoding, MAX_ROW_BYTES } from './text-file.ts';

export interface CsvFile {
  readonly path: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
}

export interface CsvRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a CSV file, its header first; empty lines are skipped. A row that does not fit is refused, never corrected.
 *
 * @throws SourceError for a misplaced quote, a row with another number of columns than the header, a row over 1 MiB
 */
export async function* csvRows(file: CsvFile): AsyncGenerator<CsvRow> {
  const lines = new LineCount();
  let width: number | undefined;
  try {
    for await (const { line, cells } of parsedRows(file, lines)) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      width ??= cells.length;
      if (cells.length !== width) throw widthError(file.path, { line, cells }, width);
      yield { line, cells };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? asSourceError(file.path, lines.next(Number(error['empty_lines'] ?? 0)), error)
      : error;
  }
}

function parsedRows({ path, encoding, delimiter }: CsvFile, lines: LineCount): AsyncIterable<CsvRow> {
  const options: Options<CsvRow, string[]> = {
    delimiter,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells, info) => ({ line: lines.take(info.empty_lines, cells), cells }),
  };
  // The types of the parser only allow rows of texts.
  const parser = parse(options as unknown as Options);
  // An error of either stream is thrown where the parser is read.
  return pipeline(Readable.from(decodedText(path, encoding)), parser, () => undefined);
}

/** The line of the file on which a row begins. The count of the parser is wrong where a cell contains CRLF. */
class LineCount {
  #lines = 1;

  take(emptyLines: number, cells: readonly string[]): number {
    const line = this.next(emptyLines);
    this.#lines += 1 + cells.reduce((count, cell) => count + lineBreaks(cell), 0);
    return line;
  }

  next(emptyLines: number): number {
    return this.#lines + emptyLines;
  }
}

const lineBreaks = (cell: string): number =>
  cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\n|\r/).length - 1 : 0;

function widthError(path: string, { line, cells }: CsvRow, width: number): SourceError {
  const place = { line, column: Math.min(cells.length, width) };
  return new SourceError(
    path,
    place,
    `the row has ${cells.length} columns, the header has ${width}. A delimiter or a quote is missing, or there is one too many.`,
  );
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote opens in this row and never closes.',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote. Write a quote inside a quoted text twice.',
  INVALID_OPENING_QUOTE: 'there is a quote inside a text that is not quoted.',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 1 MiB. Is a closing quote missing?',
};

function asSourceError(path: string, line: number, error: CsvError): SourceError {
  const { column, index } = error as CsvError & { column?: number | string; index?: number };
  const field = typeof column === 'number' ? column + 1 : index;
  const place = { line, ...(field === undefined ? {} : { column: field }) };
  return new SourceError(path, place, PROBLEMS[error.code] ?? error.message);
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The delimiter that occurs most often in the first line outside quotes; a comma if none occurs. */
export function guessDelimiter(text: string): string {
  const line = firstLine(text);
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: countOutsideQuotes(line, delimiter) }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count === 0 ? ',' : best.delimiter;
}

/** The first line that is not empty, up to the line break outside quotes. */
function firstLine(text: string): string {
  let quoted = false;
  const start = Math.max(0, text.search(/[^\r\n]/));
  for (let i = start; i < text.length; i += 1) {
    if (text[i] === '"') quoted = !quoted;
    if (text[i] === '\n' && !quoted) return text.slice(start, i);
  }
  return text.slice(start);
}

function countOutsideQuotes(line: string, delimiter: string): number {
  const outside = line.split('"').filter((_, part) => part % 2 === 0);
  return outside.join('').split(delimiter).length - 1;
}

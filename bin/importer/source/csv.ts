import { pipeline, Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { SourceError } from '../errors.ts';
import type { TableRow } from '../mapping/header.ts';
import { decodedText, type Encoding, MAX_ROW_BYTES } from './text-file.ts';

interface CsvFile {
  readonly path: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/**
 * All rows of a CSV file, of any width; empty lines are skipped, and a first line like `sep=;`.
 *
 * @throws SourceError for a misplaced quote and for a row over 1 MiB
 */
export async function* csvRows(file: CsvFile): AsyncGenerator<TableRow> {
  const lines = new LineCount();
  let isFirst = true;
  try {
    for await (const row of parsedRows(file, lines)) {
      if (row.cells.every((cell) => cell.trim() === '')) continue;
      if (!isFirst || !namesDelimiter(row)) yield row;
      isFirst = false;
    }
  } catch (error) {
    throw error instanceof CsvError
      ? asSourceError(file.path, lines.next(Number(error['empty_lines'] ?? 0)), error)
      : error;
  }
}

/** A spreadsheet writes `sep=;` for itself. */
const namesDelimiter = ({ cells: [first = '', ...others] }: TableRow): boolean =>
  /^sep=.?$/i.test(first.trim()) && others.every((cell) => cell === '');

function parsedRows({ path, encoding, delimiter }: CsvFile, lines: LineCount): AsyncIterable<TableRow> {
  const options: Options<TableRow, string[]> = {
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

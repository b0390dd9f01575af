import { Readable, pipeline } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { SourceFault } from '../faults.ts';
import { type Encoding, decodedText } from './encoding.ts';
import { MAX_ROW_BYTES, type Row } from './row.ts';

export interface CsvFile {
  readonly path: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/**
 * The rows of a CSV file, its header first; empty lines are passed over. Nothing is guessed about a row that does not fit.
 *
 * @throws SourceFault for a quote out of place, a row of another width than the header, a row over 1 MiB
 */
export async function* csvRows(file: CsvFile): AsyncGenerator<Row> {
  const lines = new LineCount();
  let width: number | undefined;
  try {
    for await (const { line, cells } of parsedRows(file, lines)) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      width ??= cells.length;
      if (cells.length !== width) {
        throw new SourceFault(
          file.path,
          { line, column: Math.min(cells.length, width) },
          widthProblem(cells.length, width),
        );
      }
      yield { line, cells };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? asSourceFault(file.path, lines.upcoming(Number(error['empty_lines'] ?? 0)), error)
      : error;
  }
}

interface Parsed {
  readonly line: number;
  readonly cells: string[];
}

function parsedRows({ path, encoding, delimiter }: CsvFile, lines: LineCount): AsyncIterable<Parsed> {
  const options: Options<Parsed, string[]> = {
    delimiter,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells, info) => ({ line: lines.next(info.empty_lines, cells), cells }),
  };
  // The parser's own types know rows of texts only.
  const parser = parse(options as unknown as Options);
  // Failures of either surface where the parser is read.
  return pipeline(Readable.from(decodedText(path, encoding)), parser, () => undefined);
}

/** On which line of the file a row begins. The parser's own count goes wrong where a text holds CRLF. */
class LineCount {
  #rows = 1;

  next(emptyLines: number, cells: readonly string[]): number {
    const line = this.upcoming(emptyLines);
    this.#rows += 1 + cells.reduce((count, cell) => count + lineBreaks(cell), 0);
    return line;
  }

  upcoming(emptyLines: number): number {
    return this.#rows + emptyLines;
  }
}

const lineBreaks = (cell: string): number =>
  cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\n|\r/).length - 1 : 0;

function widthProblem(found: number, expected: number): string {
  return `the row has ${found} columns, the header ${expected}; a delimiter or a quote is missing, or there is one too many`;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote; a quote inside a text is written twice',
  INVALID_OPENING_QUOTE: 'a quote inside a text that does not begin with one',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 1 MiB; is a closing quote missing?',
};

function asSourceFault(path: string, line: number, error: CsvError): SourceFault {
  const { column, index } = error as CsvError & { column?: number | string; index?: number };
  const field = typeof column === 'number' ? column + 1 : index;
  return new SourceFault(
    path,
    { line, ...(field === undefined ? {} : { column: field }) },
    PROBLEMS[error.code] ?? error.message,
  );
}

import { extname } from 'node:path';
import { SourceError, UsageError } from '../errors.ts';
import { type CsvFile, csvRows, guessDelimiter } from './csv.ts';
import { encodingOf } from './encoding.ts';
import { jsonArrayRows, ndjsonRows } from './json.ts';
import { type Encoding, type Inspection, inspectFile, MAX_ROW_BYTES } from './text-file.ts';

export type Format = 'csv' | 'json' | 'ndjson';

/** Overrides for auto-detected file properties. */
export interface SourceOptions {
  readonly format?: Format;
  readonly encoding?: string;
  /** One character. */
  readonly delimiter?: string;
}

/** One row of a CSV file, or one item of a JSON file. */
export interface Row {
  /** Line of the file, from 1: the first line of a CSV row, the last of a JSON item. */
  readonly line: number;
  /** The texts of a CSV row, one for each column of the header. */
  readonly cells?: readonly string[];
  /** The item of a JSON file. */
  readonly value?: unknown;
}

/** A file that was inspected and can be read row by row, any number of times. */
export interface Source {
  readonly path: string;
  readonly format: Format;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly crlf: boolean;
  readonly bom: boolean;
  /** The header of a CSV file; empty for a JSON file. */
  readonly columns: readonly string[];
  /** Rows after the header. */
  rows(): AsyncGenerator<Row>;
}

/** @throws UsageError for a file that cannot be read, SourceError for a place in it that cannot be read */
export async function openSource(path: string, options: SourceOptions = {}): Promise<Source> {
  const found = await inspectFile(path);
  const encoding = encodingOf(path, found, options.encoding);
  const head = new TextDecoder(encoding).decode(found.head, { stream: true });
  const format = options.format ?? formatOf(path, head);
  refuseOverlongLines(path, format, found);
  const delimiter = options.delimiter ?? guessDelimiter(head);
  const common = { path, format, encoding, delimiter, hash: found.hash, crlf: found.crlf };
  const file = { ...common, bom: found.bom !== undefined };
  if (format === 'csv') return { ...file, columns: await header(file), rows: () => afterHeader(file) };
  return { ...file, columns: [], rows: () => (format === 'json' ? jsonArrayRows(file) : ndjsonRows(file)) };
}

function formatOf(path: string, head: string): Format {
  const extension = extname(path).toLowerCase();
  if (extension === '.csv' || extension === '.tsv') return 'csv';
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson';
  const first = head.trimStart()[0];
  if (first === '{') return 'ndjson';
  return first === '[' || extension === '.json' ? 'json' : 'csv';
}

/** A JSON array of any size may be one line. */
function refuseOverlongLines(path: string, format: Format, { overlong }: Inspection): void {
  if (format === 'json' || overlong === undefined) return;
  throw new SourceError(path, overlong, `the line is longer than ${MAX_ROW_BYTES} bytes. Is this the right file?`);
}

async function header(file: CsvFile): Promise<string[]> {
  for await (const { cells = [] } of csvRows(file)) return cells.map((cell) => cell.trim());
  throw new UsageError(`${file.path} contains no rows.`);
}

async function* afterHeader(file: CsvFile): AsyncGenerator<Row> {
  let isHeader = true;
  for await (const row of csvRows(file)) {
    if (!isHeader) yield row;
    isHeader = false;
  }
}

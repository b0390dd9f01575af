import { extname } from 'node:path';
import { SourceFault, UsageFault } from '../faults.ts';
import { csvRows } from './csv-rows.ts';
import { guessDelimiter } from './delimiter.ts';
import { type Encoding, encodingOf } from './encoding.ts';
import { type Inspection, inspectFile, MAX_LINE_BYTES } from './inspect-file.ts';
import { jsonArrayRows } from './json-array-rows.ts';
import { ndjsonRows } from './ndjson-rows.ts';
import type { Row } from './row.ts';

export type Format = 'csv' | 'json' | 'ndjson';

/** What may be said about a file instead of being found out. */
export interface SourceOptions {
  readonly format?: Format;
  readonly encoding?: string;
  /** One character. */
  readonly delimiter?: string;
}

/** A file that was looked through and can be read as often as need be, row by row. */
export interface Source {
  readonly path: string;
  readonly format: Format;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly crlf: boolean;
  readonly bom: boolean;
  /** Names of the columns of a CSV file; none of a JSON file. */
  readonly columns: readonly string[];
  /** Rows after the header. */
  rows(): AsyncGenerator<Row>;
}

/** @throws UsageFault for a file that cannot be read, SourceFault for a place in it that cannot */
export async function openSource(path: string, options: SourceOptions = {}): Promise<Source> {
  const found = await inspectFile(path);
  const encoding = encodingOf(path, found, options.encoding);
  const head = new TextDecoder(encoding).decode(found.head, { stream: true });
  const format = options.format ?? formatOf(path, head);
  refuseOverlongLines(path, format, found);
  const delimiter = options.delimiter ?? guessDelimiter(head);
  const common = { path, format, encoding, delimiter, hash: found.hash, bytes: found.bytes, crlf: found.crlf };
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

/** A JSON array may well stand on one line, whatever its size. */
function refuseOverlongLines(path: string, format: Format, { overlong }: Inspection): void {
  if (format === 'json' || overlong === undefined) return;
  throw new SourceFault(path, overlong, `the line is longer than ${MAX_LINE_BYTES} bytes; no record is`);
}

async function header(file: Parameters<typeof csvRows>[0]): Promise<string[]> {
  for await (const { cells = [] } of csvRows(file)) return cells.map((cell) => cell.trim());
  throw new UsageFault(`${file.path} holds no row`);
}

async function* afterHeader(file: Parameters<typeof csvRows>[0]): AsyncGenerator<Row> {
  let isHeader = true;
  for await (const row of csvRows(file)) {
    if (!isHeader) yield row;
    isHeader = false;
  }
}

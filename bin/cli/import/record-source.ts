/** A file as the migration records that are made of it, cut into chunks: what one import sends. */
import { createHash } from 'node:crypto';
import { MAX_RECORDS_PER_IMPORT } from '../../../functions/shared/limits.ts';
import { HeaderColumns, MemberColumns } from '../mapping/columns.ts';
import { compileMapping, type ToRecord } from '../mapping/compile.ts';
import type { Mapping } from '../mapping/schema.ts';
import { openSource, type Row, type Source, type SourceOptions } from '../source/open-source.ts';
import { findMapping, loadMapping } from './mapping-file.ts';

/** Added to rejected rows, and ignored when they are imported again. */
export const ADDED_COLUMNS: readonly string[] = ['error_codes', 'error_messages'];

/** Below the 4 MiB of a request, which has more in it than the records. */
const MAX_CHUNK_BYTES = 3.5 * 1024 * 1024;

export interface RecordSourceOptions extends SourceOptions {
  /** Path of the mapping file. */
  readonly mapping?: string;
}

export interface RecordSource {
  readonly file: Source;
  /** SHA-256 of the mapping, hexadecimal. */
  readonly mappingHash: string;
  /** The mapping file, if there is one. */
  readonly mappingPath: string | undefined;
  chunks(): AsyncGenerator<Chunk>;
}

/** Consecutive rows that become one import. The same file and mapping always give the same chunks. */
export interface Chunk {
  /** Position among the chunks of the file, from 0. */
  readonly index: number;
  readonly rows: readonly Row[];
  readonly records: readonly unknown[];
  /** SHA-256 of the records as they are sent, hexadecimal. */
  readonly digest: string;
}

/**
 * Opens a file with its mapping. Options of the command take precedence over delimiter and encoding of the mapping.
 *
 * @throws UsageError
 */
export async function openRecords(path: string, options: RecordSourceOptions): Promise<RecordSource> {
  const mapping = options.mapping === undefined ? undefined : loadMapping(options.mapping);
  const file = await openSource(path, { ...formatOf(mapping), ...options });
  if (file.format === 'csv') return csvRecords(file, options);
  return mapping === undefined ? jsonRecords(file) : mappedJsonRecords(file, mapping, options.mapping);
}

async function csvRecords(file: Source, options: RecordSourceOptions): Promise<RecordSource> {
  const { mapping, path } = findMapping(file.path, file.columns, options.mapping);
  const wanted = { ...formatOf(mapping), ...options };
  // A mapping that was found beside the file may say how to read it.
  const again = options.mapping === undefined && differs(file, wanted) ? await openSource(file.path, wanted) : file;
  const toRecord = compileMapping(mapping, new HeaderColumns(again.path, again.columns));
  return recordSource(again, mapping, path, recordOf(toRecord));
}

const differs = ({ delimiter }: Source, wanted: SourceOptions): boolean =>
  wanted.encoding !== undefined || (wanted.delimiter !== undefined && wanted.delimiter !== delimiter);

function formatOf(mapping: Mapping | undefined): SourceOptions {
  return {
    ...(mapping?.encoding === undefined ? {} : { encoding: mapping.encoding }),
    ...(mapping?.delimiter === undefined ? {} : { delimiter: mapping.delimiter }),
  };
}

/** The items of the file are records already; what an earlier run added to rejected ones is removed. */
function jsonRecords(file: Source): RecordSource {
  const rows = () => mapRows(file.rows(), withoutAdded);
  return recordSource({ ...file, rows }, undefined, undefined, ({ value }) => value);
}

/** With a mapping, the members of each object are its columns. */
function mappedJsonRecords(file: Source, mapping: Mapping, path: string | undefined): RecordSource {
  const columns = new MemberColumns();
  const toRecord = compileMapping(mapping, columns);
  const asRow = ({ line, value }: Row): Row => ({
    line,
    value,
    cells: columns.names.map((name) => textOf(value, name)),
  });
  return recordSource({ ...file, rows: () => mapRows(file.rows(), asRow) }, mapping, path, recordOf(toRecord));
}

const recordOf =
  (toRecord: ToRecord) =>
  ({ cells = [] }: Row): unknown =>
    toRecord(cells);

async function* mapRows(rows: AsyncIterable<Row>, change: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield change(row);
}

function withoutAdded({ line, value }: Row): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, value };
  const members = Object.entries(value).filter(([name]) => !ADDED_COLUMNS.includes(name));
  return { line, value: Object.fromEntries(members) };
}

function textOf(value: unknown, name: string): string {
  const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (member === undefined || member === null) return '';
  return typeof member === 'string' ? member : JSON.stringify(member);
}

function recordSource(
  file: Source,
  mapping: Mapping | undefined,
  mappingPath: string | undefined,
  recordOf: (row: Row) => unknown,
): RecordSource {
  const mappingHash = createHash('sha256')
    .update(JSON.stringify(mapping ?? null))
    .digest('hex');
  return { file, mappingHash, mappingPath, chunks: () => chunksOf(file.rows(), recordOf) };
}

async function* chunksOf(rows: AsyncIterable<Row>, recordOf: (row: Row) => unknown): AsyncGenerator<Chunk> {
  let filling = new ChunkBuilder(0);
  for await (const row of rows) {
    const record = recordOf(row);
    const text = JSON.stringify(record);
    if (!filling.hasRoomFor(text)) {
      yield filling.chunk();
      filling = new ChunkBuilder(filling.index + 1);
    }
    filling.add(row, record, text);
  }
  if (filling.size > 0) yield filling.chunk();
}

class ChunkBuilder {
  readonly index: number;
  readonly #rows: Row[] = [];
  readonly #records: unknown[] = [];
  readonly #digest = createHash('sha256');
  #bytes = 0;

  constructor(index: number) {
    this.index = index;
  }

  get size(): number {
    return this.#rows.length;
  }

  hasRoomFor(text: string): boolean {
    const fits = this.size < MAX_RECORDS_PER_IMPORT && this.#bytes + Buffer.byteLength(text) < MAX_CHUNK_BYTES;
    return this.size === 0 || fits;
  }

  add(row: Row, record: unknown, text: string): void {
    this.#rows.push(row);
    this.#records.push(record);
    this.#digest.update(text).update('\n');
    this.#bytes += Buffer.byteLength(text) + 1;
  }

  chunk(): Chunk {
    return { index: this.index, rows: this.#rows, records: this.#records, digest: this.#digest.digest('hex') };
  }
}

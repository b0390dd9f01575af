import { createHash } from 'node:crypto';
import { MAX_RECORDS_PER_IMPORT } from '../../../functions/shared/limits.ts';
import type { Mapping } from '../mapping/schema.ts';
import type { ToRecord } from '../mapping/compile.ts';
import type { Row } from '../source/row.ts';
import type { Source } from '../source/open-source.ts';

/** Below the 4 MiB of a request, for what stands around the records. */
const MAX_CHUNK_BYTES = 3.5 * 1024 * 1024;

/** A consecutive run of rows that becomes one import. The same file and mapping always give the same chunks. */
export interface Chunk {
  /** Position among the chunks of the file, from 0. */
  readonly index: number;
  readonly rows: readonly Row[];
  readonly records: readonly unknown[];
  /** SHA-256 of the records as they are sent, hexadecimal. */
  readonly digest: string;
}

/** A file as the migration records that are made of it. */
export interface Reading {
  readonly source: Source;
  /** SHA-256 of the mapping, hexadecimal. */
  readonly mappingHash: string;
  /** Where the mapping came from, if from a file. */
  readonly mappingPath: string | undefined;
  chunks(): AsyncGenerator<Chunk>;
}

export function readingOf(
  source: Source,
  mapping: { mapping: Mapping | undefined; path: string | undefined },
  toRecord: ToRecord,
): Reading {
  return {
    source,
    mappingHash: createHash('sha256')
      .update(JSON.stringify(mapping.mapping ?? null))
      .digest('hex'),
    mappingPath: mapping.path,
    chunks: () => chunksOf(source.rows(), (row) => (row.cells === undefined ? row.value : toRecord(row.cells))),
  };
}

async function* chunksOf(rows: AsyncIterable<Row>, recordOf: (row: Row) => unknown): AsyncGenerator<Chunk> {
  let filling = new Filling(0);
  for await (const row of rows) {
    const record = recordOf(row);
    const text = JSON.stringify(record);
    if (!filling.hasRoomFor(text)) {
      yield filling.chunk();
      filling = new Filling(filling.index + 1);
    }
    filling.add(row, record, text);
  }
  if (filling.size > 0) yield filling.chunk();
}

class Filling {
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
    return (
      this.size === 0 || (this.size < MAX_RECORDS_PER_IMPORT && this.#bytes + Buffer.byteLength(text) < MAX_CHUNK_BYTES)
    );
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

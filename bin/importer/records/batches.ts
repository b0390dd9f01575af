/** The records of one or several files, cut into chunks: what one import sends. */
import { createHash } from 'node:crypto';
import { externalRecordIdOf } from '../../../functions/records/identifiers.ts';
import { MAX_RECORDS_PER_IMPORT } from '../../../functions/shared/limits.ts';
import type { ClassTitles } from '../mapping/compile.ts';
import { type Place, RecordIdSet } from './record-id-set.ts';
import type { Entry, ReadContext, Reading, RecordSource, RowCounts } from './record-source.ts';

/** Below the 4 MiB of a request, which has more in it than the records. */
const MAX_CHUNK_BYTES = 3.5 * 1024 * 1024;

/** Consecutive records that become one import. The same file and mapping always give the same chunks. */
export interface Chunk {
  /** Position among the chunks of all files, from 0. */
  readonly position: number;
  /** Position among the chunks of its file, from 0. */
  readonly index: number;
  readonly source: RecordSource;
  /** One for each record. */
  readonly entries: readonly Entry[];
  readonly records: readonly unknown[];
  /** Records that are not sent, because their id occurred before, in this file or in an earlier one. */
  readonly repeats: readonly Repeat[];
  /** SHA-256 of the records as they are sent, hexadecimal. */
  readonly digest: string;
}

export interface Repeat {
  readonly entry: Entry;
  readonly id: string;
  readonly first: Place;
}

/** The files of one run. */
export class RecordSet {
  readonly sources: readonly RecordSource[];
  titles: ClassTitles | undefined;

  constructor(sources: readonly RecordSource[]) {
    this.sources = sources;
  }

  /** The files, for messages. */
  get name(): string {
    const [first, ...others] = this.sources.map(({ file }) => file.path);
    return others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`;
  }

  /** A record is made of several rows. */
  get isGrouped(): boolean {
    return this.sources.some(({ mapping }) => mapping?.group_by !== undefined);
  }

  chunks(context: ReadContext = {}): AsyncGenerator<Chunk> {
    return this.read(context).chunks;
  }

  /** One pass over all files, with the sum of what it has met so far. */
  read(context: ReadContext = {}): { readonly chunks: AsyncGenerator<Chunk>; counts(): RowCounts } {
    const readings = this.sources.map((source) => source.read({ ...context, titles: this.titles }));
    const sum = (name: keyof RowCounts): number => readings.reduce((total, each) => total + each.counts()[name], 0);
    return {
      chunks: this.#chunks(readings),
      counts: () => ({ rows: sum('rows'), skipped: sum('skipped'), withoutProgress: sum('withoutProgress') }),
    };
  }

  /** Which id occurred before is decided over all files, so that a dry run and the import send the same records. */
  async *#chunks(readings: readonly Reading[]): AsyncGenerator<Chunk> {
    const ids = new RecordIdSet();
    let position = 0;
    for (const [index, source] of this.sources.entries())
      for await (const chunk of chunksOf(source, readings[index]?.entries ?? [], ids)) {
        yield { ...chunk, position };
        position += 1;
      }
  }
}

async function* chunksOf(
  source: RecordSource,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  ids: RecordIdSet,
): AsyncGenerator<Omit<Chunk, 'position'>> {
  let filling = new ChunkBuilder(source, 0);
  for await (const entry of entries) {
    const text = JSON.stringify(entry.record);
    if (!filling.hasRoomFor(text)) {
      yield filling.chunk();
      filling = new ChunkBuilder(source, filling.index + 1);
    }
    const id = externalRecordIdOf(entry.record);
    const first = id === null ? undefined : ids.add(id, { file: source.file.path, line: entry.row.line });
    if (first === undefined || id === null) filling.add(entry, text);
    else filling.repeats.push({ entry, id, first });
  }
  if (filling.size > 0) yield filling.chunk();
}

class ChunkBuilder {
  readonly index: number;
  readonly repeats: Repeat[] = [];
  readonly #source: RecordSource;
  readonly #entries: Entry[] = [];
  readonly #digest = createHash('sha256');
  #bytes = 0;

  constructor(source: RecordSource, index: number) {
    this.#source = source;
    this.index = index;
  }

  get size(): number {
    return this.#entries.length + this.repeats.length;
  }

  hasRoomFor(text: string): boolean {
    const fits =
      this.#entries.length < MAX_RECORDS_PER_IMPORT && this.#bytes + Buffer.byteLength(text) < MAX_CHUNK_BYTES;
    return this.size === 0 || (fits && this.repeats.length < MAX_RECORDS_PER_IMPORT);
  }

  add(entry: Entry, text: string): void {
    this.#entries.push(entry);
    this.#digest.update(text).update('\n');
    this.#bytes += Buffer.byteLength(text) + 1;
  }

  chunk(): Omit<Chunk, 'position'> {
    const entries = this.#entries;
    return {
      index: this.index,
      source: this.#source,
      entries,
      records: entries.map(({ record }) => record),
      repeats: this.repeats,
      digest: this.#digest.digest('hex'),
    };
  }
}

/** The one place where records are cut into batches: the records that one import sends. */
import { externalRecordIdOf } from '../../wire/values.ts';
import { MAX_RECORDS_PER_IMPORT } from '../../wire/values.ts';
import { sha256OfLines } from '../digest.ts';
import type { Place, RecordIdSet } from './record-ids.ts';
import type { Entry } from './record-source.ts';

/** A request has 4 MiB, and holds more than the records. */
const MAX_BATCH_BYTES = 3.5 * 1024 * 1024;

/** Consecutive records that become one import. The same records always give the same batches. */
export interface Batch {
  /** Position among all batches, from 0. */
  readonly position: number;
  /** Position among the batches of its file, from 0. */
  readonly index: number;
  /** Name of the file, for messages; empty for records that are not of a file. */
  readonly file: string;
  /** One for each record. */
  readonly entries: readonly Entry[];
  readonly records: readonly unknown[];
  /** Records that are not sent, because their id occurred before, in this file or in an earlier one. */
  readonly repeats: readonly Repeat[];
  /** Rows that are not sent, because nobody has confirmed what they become. */
  readonly unconfirmed: readonly Entry[];
  /** SHA-256 of the records as they are sent, hexadecimal. */
  readonly digest: string;
}

export interface Repeat {
  readonly entry: Entry;
  readonly id: string;
  readonly first: Place;
}

interface Cut {
  readonly file: string;
  /** Position of the first batch. */
  readonly position: number;
  /** The ids of earlier records, of other files too; those of these entries are added. */
  readonly ids: RecordIdSet;
  /** Takes the repeats; without it they are part of the batches, and count for their size. */
  readonly onRepeat?: (repeat: Repeat) => void;
}

/** Cuts records into batches of at most 500 records and 3.5 MiB. A batch of files may consist of repeats alone. */
export async function* batchesOf(entries: AsyncIterable<Entry>, cut: Cut): AsyncGenerator<Batch> {
  let filling = new BatchBuilder(cut, 0);
  for await (const entry of entries) {
    if (entry.rejection !== undefined) {
      if (!filling.hasRoomFor(NOTHING)) {
        yield await filling.batch();
        filling = new BatchBuilder(cut, filling.index + 1);
      }
      filling.unconfirmed.push(entry);
      continue;
    }
    const repeat = repeatOf(entry, cut);
    if (repeat !== undefined && cut.onRepeat !== undefined) {
      cut.onRepeat(repeat);
      continue;
    }
    const text = ENCODER.encode(JSON.stringify(entry.record));
    if (!filling.hasRoomFor(text)) {
      yield await filling.batch();
      filling = new BatchBuilder(cut, filling.index + 1);
    }
    if (repeat === undefined) filling.add(entry, text);
    else filling.repeats.push(repeat);
  }
  if (filling.size > 0) yield await filling.batch();
}

/** A record without a usable id is no repeat: it is sent, so that the service rejects it. */
function repeatOf(entry: Entry, { file, ids }: Cut): Repeat | undefined {
  const id = externalRecordIdOf(entry.record);
  const first = id === null ? undefined : ids.add(id, { file, line: entry.row.line });
  return id === null || first === undefined ? undefined : { entry, id, first };
}

const NOTHING = new Uint8Array();
const ENCODER = new TextEncoder();

class BatchBuilder {
  readonly index: number;
  readonly repeats: Repeat[] = [];
  readonly unconfirmed: Entry[] = [];
  readonly #cut: Cut;
  readonly #entries: Entry[] = [];
  readonly #texts: Uint8Array[] = [];
  #bytes = 0;

  constructor(cut: Cut, index: number) {
    this.#cut = cut;
    this.index = index;
  }

  get size(): number {
    return this.#entries.length + this.repeats.length + this.unconfirmed.length;
  }

  hasRoomFor(text: Uint8Array): boolean {
    const fits = this.#entries.length < MAX_RECORDS_PER_IMPORT && this.#bytes + text.length < MAX_BATCH_BYTES;
    const unsent = this.repeats.length + this.unconfirmed.length;
    return this.size === 0 || (fits && unsent < MAX_RECORDS_PER_IMPORT);
  }

  add(entry: Entry, text: Uint8Array): void {
    this.#entries.push(entry);
    this.#texts.push(text);
    this.#bytes += text.length + 1;
  }

  async batch(): Promise<Batch> {
    const entries = this.#entries;
    return {
      position: this.#cut.position + this.index,
      index: this.index,
      file: this.#cut.file,
      entries,
      records: entries.map(({ record }) => record),
      repeats: this.repeats,
      unconfirmed: this.unconfirmed,
      digest: await sha256OfLines(this.#texts),
    };
  }
}

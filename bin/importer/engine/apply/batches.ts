/** The one place where records are cut into batches: the records that one import sends. */
import { externalRecordIdOf, MAX_RECORDS_PER_IMPORT } from '../../wire/values.ts';
import { sha256Of } from '../ground/digest.ts';
import type { Pieces } from '../read/pieces.ts';
import type { RowPlace, RecordIdSet } from '../ground/record-ids.ts';
import type { Entry } from './record-source.ts';

/** A request has 4 MiB, and holds more than the records. */
const MAX_BATCH_BYTES = 3.5 * 1024 * 1024;
const USUAL_BATCH_BYTES = 256 * 1024;

/** Consecutive records that become one import. The same records always give the same batches. */
export interface Batch {
  /** Position among all batches, from 0. */
  readonly position: number;
  /** Position among the batches of its file, from 0. */
  readonly index: number;
  /** Name of the file, for messages; empty for records that are not of a file. */
  readonly file: string;
  readonly entries: readonly Entry[];
  readonly records: readonly unknown[];
  /** Records that are not sent, because their id occurred before, in this file or in an earlier one. */
  readonly repeats: readonly Repeat[];
  /** Rows that are not sent, because nobody has confirmed what they become. */
  readonly unconfirmed: readonly Entry[];
  /** SHA-256 of the records as they are sent, hexadecimal. */
  readonly digest: string;
}

/** A record whose id occurred before. */
export interface Repeat {
  readonly entry: Entry;
  readonly id: string;
  readonly first: RowPlace;
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
export async function* batchesOf(entries: Pieces<Entry>, cut: Cut): AsyncGenerator<Batch> {
  let filling = newBatch(0, new Uint8Array(USUAL_BATCH_BYTES));
  for await (const piece of entries)
    for (const entry of piece) {
      const repeat = entry.rejection === undefined ? repeatOf(entry, cut) : undefined;
      if (repeat !== undefined && cut.onRepeat !== undefined) {
        cut.onRepeat(repeat);
        continue;
      }
      const text = entry.rejection === undefined ? JSON.stringify(entry.record) : '';
      let size = written(filling, text);
      if (size === undefined) {
        yield await batchOf(filling, cut);
        filling = newBatch(filling.index + 1, filling.bytes);
        size = written(filling, text);
      }
      add(filling, entry, repeat, size);
    }
  if (sizeOf(filling) > 0) yield await batchOf(filling, cut);
}

function add(filling: Filling, entry: Entry, repeat: Repeat | undefined, size = 0): void {
  if (entry.rejection !== undefined) filling.unconfirmed.push(entry);
  else if (repeat !== undefined) filling.repeats.push(repeat);
  else {
    filling.entries.push(entry);
    filling.bytes[filling.length + size] = LINE_FEED;
    filling.length += size + 1;
  }
}

/** A record without a usable id is no repeat: it is sent, so that the service rejects it. */
function repeatOf(entry: Entry, { file, ids }: Cut): Repeat | undefined {
  const id = externalRecordIdOf(entry.record);
  const first = id === null ? undefined : ids.add(id, { file, line: entry.row.line });
  return id === null || first === undefined ? undefined : { entry, id, first };
}

const ENCODER = new TextEncoder();
const LINE_FEED = 0x0a;

interface Filling extends Pick<Batch, 'index'> {
  readonly entries: Entry[];
  readonly repeats: Repeat[];
  readonly unconfirmed: Entry[];
  /** The records as they are hashed, each with a line feed behind it: the first `length` of the bytes. */
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

/** @param bytes of an earlier batch */
const newBatch = (index: number, bytes: Filling['bytes']): Filling => ({
  index,
  entries: [],
  repeats: [],
  unconfirmed: [],
  bytes,
  length: 0,
});

const sizeOf = ({ entries, repeats, unconfirmed }: Filling): number =>
  entries.length + repeats.length + unconfirmed.length;

/** Writes a text behind those of the batch. Returns its bytes; `undefined` for a batch that has no room for it. */
function written(filling: Filling, text: string): number | undefined {
  const { entries, repeats, unconfirmed, bytes, length } = filling;
  if (Math.max(entries.length, repeats.length + unconfirmed.length) >= MAX_RECORDS_PER_IMPORT) return undefined;
  const { read, written: size } = ENCODER.encodeInto(text, bytes.subarray(length));
  if (read === text.length && length + size < Math.min(bytes.length, MAX_BATCH_BYTES)) return size;
  if (bytes.length < MAX_BATCH_BYTES) {
    filling.bytes = new Uint8Array(Math.min(2 * bytes.length, MAX_BATCH_BYTES));
    filling.bytes.set(bytes.subarray(0, length));
    return written(filling, text);
  }
  if (sizeOf(filling) > 0) return undefined;
  // One record may be larger than a batch.
  filling.bytes = ENCODER.encode(`${text}\n`);
  return filling.bytes.length - 1;
}

const batchOf = async ({ index, entries, repeats, unconfirmed, bytes, length }: Filling, cut: Cut): Promise<Batch> => ({
  position: cut.position + index,
  index,
  file: cut.file,
  entries,
  records: entries.map(({ record }) => record),
  repeats,
  unconfirmed,
  digest: await sha256Of(bytes.subarray(0, length)),
});

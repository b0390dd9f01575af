/** The one place where records are cut into batches: the records that one import sends. */
import { externalRecordIdOf, MAX_RECORDS_PER_IMPORT } from '../../wire/values.ts';
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
  let filling = newBatch(0);
  for await (const entry of entries) {
    const repeat = entry.rejection === undefined ? repeatOf(entry, cut) : undefined;
    if (repeat !== undefined && cut.onRepeat !== undefined) {
      cut.onRepeat(repeat);
      continue;
    }
    const text = entry.rejection === undefined ? JSON.stringify(entry.record) : '';
    if (!hasRoom(filling, text)) {
      yield await batchOf(filling, cut);
      filling = newBatch(filling.index + 1);
    }
    if (entry.rejection !== undefined) filling.unconfirmed.push(entry);
    else if (repeat !== undefined) filling.repeats.push(repeat);
    else {
      filling.entries.push(entry);
      filling.texts.push(text);
      filling.bytes += MOST_BYTES * text.length + 1;
    }
  }
  if (sizeOf(filling) > 0) yield await batchOf(filling, cut);
}

/** A record without a usable id is no repeat: it is sent, so that the service rejects it. */
function repeatOf(entry: Entry, { file, ids }: Cut): Repeat | undefined {
  const id = externalRecordIdOf(entry.record);
  const first = id === null ? undefined : ids.add(id, { file, line: entry.row.line });
  return id === null || first === undefined ? undefined : { entry, id, first };
}

const ENCODER = new TextEncoder();
/** Of a character of a text. */
const MOST_BYTES = 3;

interface Filling extends Pick<Batch, 'index'> {
  readonly entries: Entry[];
  readonly texts: string[];
  readonly repeats: Repeat[];
  readonly unconfirmed: Entry[];
  /** No fewer than its texts have: they are counted only where that matters. */
  bytes: number;
}

const newBatch = (index: number): Filling => ({
  index,
  entries: [],
  texts: [],
  repeats: [],
  unconfirmed: [],
  bytes: 0,
});

const sizeOf = ({ entries, repeats, unconfirmed }: Filling): number =>
  entries.length + repeats.length + unconfirmed.length;

function hasRoom(filling: Filling, text: string): boolean {
  const { entries, texts, repeats, unconfirmed } = filling;
  if (sizeOf(filling) === 0) return true;
  if (Math.max(entries.length, repeats.length + unconfirmed.length) >= MAX_RECORDS_PER_IMPORT) return false;
  if (filling.bytes + MOST_BYTES * text.length < MAX_BATCH_BYTES) return true;
  filling.bytes = texts.reduce((sum, each) => sum + ENCODER.encode(each).length + 1, 0);
  return filling.bytes + ENCODER.encode(text).length < MAX_BATCH_BYTES;
}

const batchOf = async ({ index, entries, texts, repeats, unconfirmed }: Filling, cut: Cut): Promise<Batch> => ({
  position: cut.position + index,
  index,
  file: cut.file,
  entries,
  records: entries.map(({ record }) => record),
  repeats,
  unconfirmed,
  digest: await sha256OfLines(texts),
});

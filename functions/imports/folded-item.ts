/** A fold as an attribute of the first item of a learner course, and the seal of the items that it covers. */
import * as v from 'valibot';
import type { Item } from '../dynamodb/client.ts';
import { compressJson, packInstant, unpackInstant, unpackJson } from '../dynamodb/encoding.ts';
import type { Fold, FoldedRecord } from '../shared/model.ts';
import { contributionName, contributionText, unpackContribution } from './contribution-item.ts';

/** In the first item: what the contributions of the first items add up to. It is removed before one of them is. */
export const FOLDED = 'folded';
/** In an item that a fold may cover: no contribution is added to it any more. */
export const SEALED = 'sealed';

/** Items that are read at once: about 4 KB each, and six times as much when they are unpacked. */
export const ITEMS_AT_ONCE = 256;

/** Their numbers, both included. */
export function itemsBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
}

/** A history of more records, or a larger fold, is read whole. */
const MOST_RECORDS = 16;
const MOST_BYTES = 64 * 1024;

/** Name, contribution, and digests of contents as base64. */
const PACKED_RECORD = v.tuple([v.string(), v.string(), v.string()]);
/** `items`, `until`, `records`. */
const PACKED = v.object({
  n: v.number(),
  u: v.tuple([v.string(), v.string(), v.number()]),
  r: v.array(PACKED_RECORD),
});

type PackedRecord = v.InferOutput<typeof PACKED_RECORD>;

/** `undefined` if it would be too large. */
export function packFold({ items, until, records }: Fold): Uint8Array | undefined {
  if (records.length > MOST_RECORDS) return undefined;
  const u = [packInstant(until.imported_at), until.import_id, until.index];
  const packed = compressJson({ n: items, u, r: records.map(packRecord) });
  return packed.byteLength <= MOST_BYTES ? packed : undefined;
}

export function unpackFold(first: Item | undefined): Fold | undefined {
  if (first?.[FOLDED] === undefined) return undefined;
  const { n: items, u, r } = v.parse(PACKED, unpackJson(first[FOLDED]));
  const [imported_at, import_id, index] = u;
  return { items, until: { imported_at: unpackInstant(imported_at), import_id, index }, records: r.map(unpackRecord) };
}

const DIGEST_BYTES = 4;

function packRecord({ contribution, contents }: FoldedRecord): PackedRecord {
  const digests = Buffer.alloc(contents.length * DIGEST_BYTES);
  contents.forEach((each, at) => digests.writeUInt32BE(each, at * DIGEST_BYTES));
  return [contributionName(contribution), contributionText(contribution), digests.toString('base64')];
}

function unpackRecord([name, text, contents]: PackedRecord): FoldedRecord {
  const digests = Buffer.from(contents, 'base64');
  return {
    contribution: unpackContribution(name, text),
    contents: Array.from({ length: digests.length / DIGEST_BYTES }, (_, at) => digests.readUInt32BE(at * DIGEST_BYTES)),
  };
}

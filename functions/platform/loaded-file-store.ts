/** The keys of the data file that was loaded last, so that the next load can delete the rows that it no longer contains. */
import * as v from 'valibot';
import { members, number, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { packJson, unpackJson } from '../dynamodb/encoding.ts';
import { getItem, putItem, batchGet, deleteItems, putItems } from '../dynamodb/items.ts';
import { loadedFileKey } from '../dynamodb/table.ts';
import { contentHash } from '../runtime/content-hash.ts';
import { emailKey } from '../records/identifiers.ts';
import { batchesOf } from '../runtime/batching.ts';

/** A function, so that other bundles carry no schema. The last member of a user is a hash of the address. */
const loadedKeys = () =>
  v.array(
    v.union([
      v.tuple([v.literal('company'), v.string()]),
      v.tuple([v.literal('client'), v.string(), v.string()]),
      v.tuple([v.literal('course'), v.string(), v.number()]),
      v.tuple([v.literal('user'), v.string(), v.number(), v.string()]),
      v.tuple([v.literal('progress'), v.string(), v.number(), v.number()]),
    ]),
  );
/** The identity of a row, from which the fact that deletes it can be made. */
export type LoadedKey = Readonly<v.InferOutput<ReturnType<typeof loadedKeys>>[number]>;

/** An erasure leaves no address of the person in the keys of a file (§13.2). */
export function loadedUser(company_id: string, user_id: number, email: string): LoadedKey {
  return ['user', company_id, user_id, contentHash(emailKey(email))];
}

export interface LoadedFile {
  /** Absent while a load is under way, or was interrupted. */
  readonly file_hash?: string;
  readonly version: number;
  /** The keys of the file; while a load is under way, those of the former file too. */
  readonly keys: readonly LoadedKey[];
}

export type LoadedFileStore = ReturnType<typeof loadedFileStore>;

const NOTHING: LoadedFile = { version: 0, keys: [] };
/** Keys in one item of at most 400 KB: the longest key has some 360 bytes. */
const KEYS_PER_ITEM = 1000;
const HEAD = loadedFileKey('current');

/** The head names the parts that hold the keys, so that a reader sees one load or the next, and no mix. */
export function loadedFileStore(database: Database) {
  const stored = async () => {
    const item = await getItem(database, HEAD);
    return item && unpackHead(item);
  };

  return {
    async read(): Promise<LoadedFile> {
      const head = await stored();
      if (head === undefined) return NOTHING;
      const items = await batchGet(database, partsOf(head), true);
      const keys = items.flatMap((item) => v.parse(loadedKeys(), unpackJson(item?.['keys'])));
      return { version: head.version, keys, ...(head.file_hash !== undefined && { file_hash: head.file_hash }) };
    },

    /** The head is written after the parts that it names, so that an interruption leaves the former head whole. */
    async remember({ keys, version, file_hash }: LoadedFile): Promise<void> {
      const former = await stored();
      const batches = batchesOf(keys, KEYS_PER_ITEM);
      const head = { version, parts: batches.length, ...(file_hash !== undefined && { file_hash }) };
      const parts = partsOf(head);
      const items = parts.map((key, at) => ({ ...key, keys: packJson(batches[at]) }));
      await putItems(database, items);
      await putItem(database, { ...HEAD, ...head });
      if (former !== undefined) await deleteItems(database, partsOf(former));
    },
  };
}

const unpackHead = (item: Item) => ({
  ...members(item, { version: number, parts: number }),
  ...storedMembers(item, { file_hash: text }),
});

/** Each load has a version of its own, so no part is overwritten. */
const partsOf = ({ version, parts }: ReturnType<typeof unpackHead>) =>
  Array.from({ length: parts }, (_, at) => loadedFileKey(`keys#${version}#${at}`));

/** What the data file that was loaded last has named, so that the next one can delete what it no longer names. */
import { batchGet, deleteItems, putItems } from '../dynamodb/batches.ts';
import type { Database } from '../dynamodb/client.ts';
import { packJson, unpackJson } from '../dynamodb/encoding.ts';
import { getItem, putItem } from '../dynamodb/items.ts';
import { loadedFileKey } from '../dynamodb/table.ts';
import { contentHash } from '../runtime/content-hash.ts';
import { emailKey } from '../records/identifiers.ts';
import { batchesOf } from '../runtime/batching.ts';

/** What a row of a data file is about. The address is a part of a user's, as a hash: another address is another login. */
export type LoadedKey =
  | readonly [kind: 'company', company_id: string]
  | readonly [kind: 'course', company_id: string, platform_course_id: number]
  | readonly [kind: 'user', company_id: string, user_id: number, address_hash: string]
  | readonly [kind: 'progress', company_id: string, user_id: number, platform_course_id: number];

/** Erasing a person leaves no address in what a file named (§7). */
export function loadedUser(company_id: string, user_id: number, email: string): LoadedKey {
  return ['user', company_id, user_id, contentHash(emailKey(email))];
}

export interface LoadedFile {
  /** Absent while a load is under way, or was interrupted. */
  readonly file_hash?: string;
  /** The highest version that it was loaded with. */
  readonly version: number;
  /** What the file named; while a load is under way, what the former one named as well. */
  readonly keys: readonly LoadedKey[];
}

export type LoadedFileStore = ReturnType<typeof loadedFileStore>;

const NOTHING: LoadedFile = { version: 0, keys: [] };
/** Keys in one item, which holds 400 KB: the longest has some 360 bytes. */
const KEYS_PER_ITEM = 1000;
const HEAD = loadedFileKey('current');

export function loadedFileStore(database: Database) {
  const stored = async (): Promise<StoredHead | undefined> => (await getItem(database, HEAD)) as StoredHead | undefined;

  return {
    async read(): Promise<LoadedFile> {
      const head = await stored();
      if (head === undefined) return NOTHING;
      const items = await batchGet(database, partsOf(head), true);
      const keys = items.flatMap((item) => (unpackJson(item?.['keys']) as LoadedKey[]).map(withoutAddress));
      return { version: head.version, keys, ...(head.file_hash !== undefined && { file_hash: head.file_hash }) };
    },

    /** The head comes after the parts that it names, so that an interruption leaves the former one whole. */
    async remember({ keys, version, file_hash }: LoadedFile): Promise<void> {
      const former = await stored();
      const batches = batchesOf(keys, KEYS_PER_ITEM);
      const head = { version, parts: batches.length, ...(file_hash !== undefined && { file_hash }) };
      const parts = partsOf(head);
      await putItems(
        database,
        parts.map((key, at) => ({ ...key, keys: packJson(batches[at]) })),
      );
      await putItem(database, { ...HEAD, ...head });
      if (former !== undefined) await deleteItems(database, partsOf(former));
    },
  };
}

/** Earlier releases stored the address itself. */
function withoutAddress(key: LoadedKey): LoadedKey {
  return key[0] === 'user' && key[3].includes('@') ? loadedUser(key[1], key[2], key[3]) : key;
}

interface StoredHead {
  readonly file_hash?: string;
  readonly version: number;
  readonly parts: number;
}

/** Each load has a version of its own, so no part is written over. */
const partsOf = ({ version, parts }: StoredHead) =>
  Array.from({ length: parts }, (_, at) => loadedFileKey(`keys#${version}#${at}`));

/**
 * What this browser keeps to resume a migration, by page, company and user; never a token. Texts of rows go with the result, the
 * sign-out, and after seven days.
 */
import * as v from 'valibot';
import { sha256Hex } from '../../engine/ground/digest.ts';
import { checkedMapping } from '../../engine/language/check.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import type { Corrections } from '../../engine/read/open-source.ts';
import type { JournalStore } from '../../engine/run/journal.ts';
import { baseUrl, beforeSignOut, signedIn } from './account.ts';
import { Problem } from './protocol.ts';

const DATABASE = 'course-progress-migration';
const JOURNALS = 'journals';
const MIGRATIONS = 'migrations';
const KEPT_MS = 7 * 24 * 60 * 60_000;

const stored = v.object({
  owner: v.string(),
  atMs: v.number(),
  names: v.array(v.string()),
  mapping: v.unknown(),
  /** Cells that a person corrected, by the position of their file, their line, and their position. */
  corrections: v.record(v.string(), v.record(v.string(), v.record(v.string(), v.string()))),
  /** The import was started, and neither ended nor cancelled. */
  isImporting: v.boolean(),
});
type Stored = v.InferOutput<typeof stored>;

export type BegunImport = Readonly<Pick<Stored, 'names' | 'atMs'>>;

interface SavedMigration extends Readonly<Pick<Stored, 'names' | 'isImporting'>> {
  readonly mapping: Mapping | undefined;
  readonly corrections: Readonly<Record<number, Corrections>>;
}

type Files = readonly { readonly hash: string }[];

let database: Promise<IDBDatabase> | undefined;
/** Writes that are under way; none starts after the sign-out has begun. */
const writes = new Set<Promise<void>>();
let isClosed = false;

const opened = (): Promise<IDBDatabase> =>
  (database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 3);
    request.addEventListener('upgradeneeded', () => {
      const { result } = request;
      for (const name of result.objectStoreNames) result.deleteObjectStore(name);
      result.createObjectStore(JOURNALS, { autoIncrement: true }).createIndex('name', 'name');
      result.createObjectStore(MIGRATIONS);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Problem('no_storage')));
  }));

/** Resolves once the transaction is on the disk. */
async function written(name: string, step: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await opened()).transaction(name, 'readwrite', { durability: 'strict' });
  step(transaction.objectStore(name));
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(new Problem('storage_full')));
  });
}

/** A write of the work of a person: none once the sign-out has begun, which waits for those before it. */
async function changed(name: string, step: (store: IDBObjectStore) => void): Promise<void> {
  if (isClosed) return;
  const write = written(name, step);
  writes.add(write);
  try {
    await write;
  } finally {
    writes.delete(write);
  }
}

const result = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Problem('storage_unreadable')));
  });

const storeOf = async (name: string): Promise<IDBObjectStore> => (await opened()).transaction(name).objectStore(name);

function owner(): string {
  const { company_id, id } = signedIn();
  return sha256Hex(JSON.stringify([baseUrl, company_id, id]));
}

const journalLine = v.object({ name: v.string(), line: v.string(), atMs: v.number() });

/** A journal of the engine. @param name `journalName` */
export function journalStore(name: string): JournalStore {
  const own = `${owner()} ${name}`;
  return {
    async read() {
      const lines = await result((await storeOf(JOURNALS)).index('name').getAll(own));
      return v.parse(v.array(journalLine), lines).map(({ line }) => line);
    },
    append: (line) => changed(JOURNALS, (store) => store.add({ name: own, line, atMs: Date.now() })),
  };
}

const keyOf = (files: Files): string => `${owner()} ${sha256Hex(JSON.stringify(files.map(({ hash }) => hash)))}`;

export async function savedMigration(files: Files): Promise<SavedMigration | undefined> {
  const { success, output } = v.safeParse(stored, await result((await storeOf(MIGRATIONS)).get(keyOf(files))));
  if (!success) return undefined;
  const mapping = output.mapping === undefined ? undefined : checkedMapping('that was saved', output.mapping);
  return { ...output, mapping };
}

export const saveMigration = (files: Files, migration: SavedMigration): Promise<void> =>
  changed(MIGRATIONS, (store) => store.put({ ...migration, owner: owner(), atMs: Date.now() }, keyOf(files)));

/** The imports of this person that have not ended. What is older than seven days is deleted first. */
export async function begunImports(): Promise<BegunImport[]> {
  await deleteWhere((_, atMs) => Date.now() - atMs > KEPT_MS);
  const all: unknown[] = await result((await storeOf(MIGRATIONS)).getAll());
  const own = owner();
  return all.filter((each) => v.is(stored, each)).filter((each) => each.isImporting && each.owner === own);
}

export async function forget(files: Files, journal: string): Promise<void> {
  const [key, name] = [keyOf(files), `${owner()} ${journal}`];
  await changed(MIGRATIONS, (store) => store.delete(key));
  await deleteWhere((own) => own === name);
}

const keptSince = v.object({ name: v.optional(v.string()), atMs: v.optional(v.number(), 0) });

type IsDeleted = (name: string, atMs: number) => boolean;

/** @param isDeleted by the name of a journal or the key of a migration, and its time */
async function deleteWhere(isDeleted: IsDeleted): Promise<void> {
  for (const kept of [JOURNALS, MIGRATIONS])
    await written(kept, (store) => {
      const request = store.openCursor();
      request.addEventListener('success', () => {
        const { result: cursor } = request;
        if (cursor === null) return;
        const kept = v.parse(keptSince, cursor.value);
        if (isDeleted(kept.name ?? (typeof cursor.key === 'string' ? cursor.key : ''), kept.atMs)) cursor.delete();
        cursor.continue();
      });
    });
}

beforeSignOut(async () => {
  isClosed = true;
  await Promise.allSettled(writes);
  const own = owner();
  await deleteWhere((name) => name.startsWith(own));
});

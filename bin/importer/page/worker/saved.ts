/** What this browser keeps of a migration, so that it can be resumed after the tab was closed. Never a token. */
import * as v from 'valibot';
import { sha256Hex } from '../../engine/digest.ts';
import { checkedMapping, type Mapping } from '../../engine/mapping/schema.ts';
import type { Corrections } from '../../engine/source/open-source.ts';
import type { JournalStore } from '../../engine/run/journal.ts';
import { baseUrl, signedIn } from './account.ts';

const DATABASE = 'course-progress-migration';
const JOURNALS = 'journals';
const MIGRATIONS = 'migrations';

const corrections = v.record(v.string(), v.record(v.string(), v.array(v.string())));
const stored = v.object({ mapping: v.unknown(), corrections, isImporting: v.boolean() });

export interface SavedMigration {
  readonly mapping: Mapping | undefined;
  /** Rows that a person corrected, by the position of their file and their line. */
  readonly corrections: Readonly<Record<number, Corrections>>;
  /** The import was started, and neither ended nor cancelled. */
  readonly isImporting: boolean;
}

type Files = readonly { readonly hash: string }[];

let database: Promise<IDBDatabase> | undefined;

const opened = (): Promise<IDBDatabase> =>
  (database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(JOURNALS, { autoIncrement: true }).createIndex('name', 'name');
      request.result.createObjectStore(MIGRATIONS);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('This browser does not let the page keep its journal.')));
  }));

/** Resolves once the transaction is on the disk. */
async function changed(name: string, step: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await opened()).transaction(name, 'readwrite', { durability: 'strict' });
  step(transaction.objectStore(name));
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(new Error('This browser has no room left for the journal of the import.')),
    );
  });
}

const result = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The journal cannot be read.')));
  });

const journalLine = v.object({ line: v.string() });

/** A journal of the engine. @param name `journalName` */
export function journalStore(name: string): JournalStore {
  return {
    async read() {
      const store = (await opened()).transaction(JOURNALS).objectStore(JOURNALS);
      return v.parse(v.array(journalLine), await result(store.index('name').getAll(name))).map(({ line }) => line);
    },
    append: (line) => changed(JOURNALS, (store) => store.add({ name, line })),
  };
}

const keyOf = (files: Files): string =>
  sha256Hex(JSON.stringify([baseUrl, signedIn().company_id, files.map(({ hash }) => hash)]));

export async function savedMigration(files: Files): Promise<SavedMigration | undefined> {
  const store = (await opened()).transaction(MIGRATIONS).objectStore(MIGRATIONS);
  const { success, output } = v.safeParse(stored, await result(store.get(keyOf(files))));
  if (!success) return undefined;
  const mapping = output.mapping === undefined ? undefined : checkedMapping('that was saved', output.mapping);
  return { ...output, mapping };
}

export const saveMigration = (files: Files, migration: SavedMigration): Promise<void> =>
  changed(MIGRATIONS, (store) => store.put(migration, keyOf(files)));

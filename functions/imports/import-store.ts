import { batchGet } from '../dynamodb/batches.ts';
import type { Database } from '../dynamodb/client.ts';
import { allOf, equals, isAbsent } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateAndRead, updateItem } from '../dynamodb/items.ts';
import { query, queryAll } from '../dynamodb/queries.ts';
import { OPEN_IMPORTS_PARTITION, TABLE, importKey, importsListPartition, importsListSort } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import { chunkStore } from './chunk-store.ts';
import { optionalImport, packImport, packSummary, summaryName, unpackImport } from './import-item.ts';
import type { ChunkSummary, ImportItem, ImportStatus, Instant } from '../shared/model.ts';

export type ImportStore = ReturnType<typeof importStore>;

type ImportIds = Pick<ImportItem, 'company_id' | 'import_id'>;

/** Imports (§3): their status items, the lists of them, and what their chunks hold. */
export function importStore(database: Database) {
  return { ...statusItems(database), ...lists(database), ...chunkStore(database) };
}

const stillOpen = equals('status', 'processing');
const { importsByCompany, openImports } = TABLE;

/** The status item of an import: created once, each summary set once, the terminal status set once. */
function statusItems(database: Database) {
  /** Strongly consistent. */
  const read = async (company_id: string, import_id: string): Promise<ImportItem | undefined> =>
    optionalImport(await getItem(database, importKey(company_id, import_id)));

  return {
    read,

    /** Creates the import if it does not exist. Returns the stored item: this one, or the one that was there first. */
    async commit(item: ImportItem): Promise<ImportItem> {
      if (await putItem(database, packImport(item), itemIsAbsent)) return item;
      return existing(await read(item.company_id, item.import_id));
    },

    /** Sets the summary if it is absent and the import is open; moves `due_at` if one is given. Returns the stored import. */
    async setSummary(
      company_id: string,
      import_id: string,
      chunk: number,
      summary: ChunkSummary,
      due_at?: Instant,
    ): Promise<ImportItem | undefined> {
      const notYetSummarised = isAbsent(summaryName(chunk));
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: {
          [summaryName(chunk)]: packSummary(summary),
          ...(due_at !== undefined && { [openImports.sortKey]: due_at }),
        },
        when: allOf(notYetSummarised, stillOpen),
      });
      return optionalImport(item);
    },

    /** Sets the terminal status if the import is open. Returns the stored import, and whether this call settled it. */
    async settle(
      company_id: string,
      import_id: string,
      status: ImportStatus,
      completed_at: Instant,
    ): Promise<{ item: ImportItem; settled: boolean }> {
      const { changed, item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { status, completed_at },
        remove: [openImports.partitionKey, openImports.sortKey],
        when: stillOpen,
      });
      return { item: existing(optionalImport(item)), settled: changed };
    },

    /** Counts a resend before it happens, if the import is open and still at `resends`. False if another call was first. */
    countResend({ company_id, import_id, resends }: ImportItem, due_at: Instant): Promise<boolean> {
      const nobodyElseCounted = equals('resends', resends);
      return updateItem(database, importKey(company_id, import_id), {
        set: { resends: resends + 1, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, nobodyElseCounted),
      });
    },

    /** Sets `closing_at` if the import is open and has none, and moves `due_at`. Returns the stored import. */
    async startClosing(
      { company_id, import_id }: ImportItem,
      closing_at: Instant,
      due_at: Instant,
    ): Promise<ImportItem | undefined> {
      const notYetClosing = isAbsent('closing_at');
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { closing_at, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, notYetClosing),
      });
      return optionalImport(item);
    },
  };
}

/** Import items are never deleted, so a failed condition implies that the item exists. */
function existing(item: ImportItem | undefined): ImportItem {
  if (item === undefined) throw new Error('An import item is missing.');
  return item;
}

/** The imports of a company, and those that are still open. The indexes hold keys alone; what a list shows is read strongly. */
function lists(database: Database) {
  return {
    /** Newest first, up to `limit` items, strictly after the position. */
    async list(
      company_id: string,
      limit: number,
      after?: { readonly created_at: Instant; readonly import_id: string },
    ): Promise<ImportItem[]> {
      const entries = await queryAll(database, {
        partition: importsListPartition(company_id),
        index: importsByCompany,
        newestFirst: true,
        bound: after && { operator: '<', value: importsListSort(after.created_at, after.import_id) },
        limit,
      });
      const keys = entries.map(({ pk, sk }) => ({ pk, sk }) as Key);
      const items = await batchGet(database, keys, true);
      return items.filter((item) => item !== undefined).map(unpackImport);
    },

    /** Open imports due at or before this instant, oldest due first; without it every open import. Eventually consistent. */
    async *listOpen(due_before?: Instant): AsyncGenerator<ImportIds> {
      const entries = query(database, {
        partition: OPEN_IMPORTS_PARTITION,
        index: openImports,
        bound: due_before === undefined ? undefined : { operator: '<=', value: due_before },
      });
      for await (const { pk } of entries) yield idsOf(String(pk));
    },
  };
}

/** The ids in an import's own key; neither can hold a `#`. */
function idsOf(pk: string): ImportIds {
  const [company_id, , import_id] = pk.split('#') as [string, string, string];
  return { company_id, import_id };
}

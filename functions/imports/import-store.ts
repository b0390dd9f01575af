import type { Database } from '../dynamodb/client.ts';
import { allOf, differs, equals, isAbsent, isPresent } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateAndRead, updateItem } from '../dynamodb/items.ts';
import { query } from '../dynamodb/queries.ts';
import { OPEN_IMPORTS_PARTITION, TABLE, importKey } from '../dynamodb/table.ts';
import { acrossCompanies } from '../dynamodb/tenancy.ts';
import { chunkStore } from './chunk-store.ts';
import { ended, optionalImport, packImport, packSummary, summaryName } from './import-item.ts';
import { importLists } from './import-lists.ts';
import type { ChunkSummary, ImportItem, Instant, RevertSubject } from '../shared/model.ts';

export type ImportStore = ReturnType<typeof importStore>;

export type ImportIds = Pick<ImportItem, 'company_id' | 'import_id'>;

/** An entry of the index of open imports: an import, a revert, or an erasure. */
export interface OpenImport extends ImportIds {
  readonly due_at: Instant;
  readonly resends: number;
  readonly isClosing: boolean;
  /** Set where it is a revert that is not done. */
  readonly revert?: RevertSubject;
  /** Set where it is an erasure that is not done. */
  readonly erasure_id?: string;
}

/** Imports (§3): their status items, the lists of them, and what their chunks hold. */
export function importStore(database: Database) {
  return { ...statusItems(database), ...importLists(database), ...openImportsList(database), ...chunkStore(database) };
}

const stillOpen = equals('status', 'processing');
const hasEnded = differs('status', 'processing');
const { openImports } = TABLE;

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

    /**
     * Sets the terminal status of this import, whose summaries are complete, if it is open. It stays in the index of open
     * imports until its event is sent. Returns the stored import, and whether this call settled it.
     */
    async settle(item: ImportItem, completed_at: Instant): Promise<{ item: ImportItem; settled: boolean }> {
      const stored = await updateAndRead(database, importKey(item.company_id, item.import_id), {
        set: { ...ended(item), completed_at },
        when: stillOpen,
      });
      return { item: existing(optionalImport(stored.item)), settled: stored.changed };
    },

    /** Replaces the summary of a chunk, which has one: an erasure takes the id of a user out of it (§7). */
    async replaceSummary({ company_id, import_id }: ImportIds, chunk: number, summary: ChunkSummary): Promise<void> {
      const isSummarised = isPresent(summaryName(chunk));
      const set = { [summaryName(chunk)]: packSummary(summary) };
      await updateItem(database, importKey(company_id, import_id), { set, when: isSummarised });
    },

    /** Notes how many of its results erasures have changed by now. */
    async noteErased({ company_id, import_id }: ImportIds, erased: number): Promise<void> {
      await updateItem(database, importKey(company_id, import_id), { set: { erased }, when: isPresent('status') });
    },

    /** Takes an import that has ended out of the index of open imports: nothing is left to do for it. */
    async close({ company_id, import_id, reverted_at }: ImportItem): Promise<void> {
      const nothingElseIsOwed = equals('reverted_at', reverted_at);
      await updateItem(database, importKey(company_id, import_id), {
        remove: [openImports.partitionKey, openImports.sortKey],
        when: allOf(hasEnded, nothingElseIsOwed),
      });
    },

    /** Sets `reverted_at` if the import has none; it is in the index of open imports again until that event is sent. False if it has one. */
    markReverted({ company_id, import_id, due_at }: ImportItem, reverted_at: Instant): Promise<boolean> {
      const notYetReverted = equals('reverted_at', null);
      const open = { [openImports.partitionKey]: OPEN_IMPORTS_PARTITION, [openImports.sortKey]: reverted_at };
      return updateItem(database, importKey(company_id, import_id), {
        set: { reverted_at, ...open, ...(due_at !== undefined && { end_is_owed: true }) },
        when: allOf(hasEnded, notYetReverted),
      });
    },

    /** Moves the due time of an open import. */
    async postpone({ company_id, import_id }: ImportItem, due_at: Instant): Promise<void> {
      await updateItem(database, importKey(company_id, import_id), {
        set: { [openImports.sortKey]: due_at },
        when: stillOpen,
      });
    },

    /** Sets `cancelled_at` if the import is open and has none, and moves `due_at`. Returns the stored import. */
    async cancel({ company_id, import_id }: ImportIds, cancelled_at: Instant, due_at: Instant): Promise<ImportItem> {
      const notYetCancelled = equals('cancelled_at', null);
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { cancelled_at, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, notYetCancelled),
      });
      return existing(optionalImport(item));
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

/** What somebody still has to look at: open imports, those whose event is not sent, reverts and erasures that are not done. */
function openImportsList(database: Database) {
  return {
    /** All of them, oldest due first. Eventually consistent. Reads 1 MB, about 5,000 imports, a request. */
    listOpen: (): Promise<OpenImport[]> => acrossCompanies(readAll),
  };

  async function readAll(): Promise<OpenImport[]> {
    const open: OpenImport[] = [];
    const entries = query(database, { partition: OPEN_IMPORTS_PARTITION, index: openImports });
    for await (const { pk, sk, due_at, resends, closing_at } of entries) {
      const isClosing = closing_at !== undefined;
      open.push({ ...namedBy(String(pk), String(sk)), due_at: String(due_at), resends: Number(resends), isClosing });
    }
    return open;
  }
}

/** What an entry's own key names. A run's id comes last, and may hold a `#`. */
function namedBy(pk: string, sk: string): Pick<OpenImport, 'company_id' | 'import_id' | 'revert' | 'erasure_id'> {
  const [company_id = '', kind = ''] = pk.split('#');
  const id = pk.slice(company_id.length + kind.length + '##'.length);
  if (kind === 'erasure') return { company_id, import_id: '', erasure_id: id };
  if (kind === 'run') return { company_id, import_id: '', revert: { company_id, run_id: id } };
  const ids = { company_id, import_id: id };
  return sk === 'import' ? ids : { ...ids, revert: ids };
}

import type { Database } from '../dynamodb/client.ts';
import { allOf, differs, equals, isAbsent, type Condition } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateAndRead, updateItem } from '../dynamodb/items.ts';
import { INDEX, gateKey, importKey } from '../dynamodb/table.ts';
import { replacingName } from '../jobs/gate.ts';
import { chunkStore, type ImportIds } from './chunk-store.ts';
import { ended, optionalImport, packDigests, packImport, packSummary, summaryName } from './import-item.ts';
import { importLists, runReader } from './import-lists.ts';
import { runCounts } from './run-counts.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ChunkSummary, ImportItem, Instant } from '../shared/model.ts';

export type ImportStore = ReturnType<typeof importStore>;

export function importStore(database: Database) {
  return {
    ...statusItems(database),
    ...importLists(database),
    ...runReader(database),
    ...runCounts(database),
    ...chunkStore(database),
  };
}

const stillOpen = equals('status', 'processing');
const hasEnded = differs('status', 'processing');
const { openImports } = INDEX;

/** The status item of an import: created once, each summary set once, the terminal status set once. */
function statusItems(database: Database) {
  /** Strongly consistent. */
  const read = async (company_id: string, import_id: string): Promise<ImportItem | undefined> =>
    optionalImport(await getItem(database, importKey(company_id, import_id)));

  async function forgetReplacing({ company_id, import_id }: ImportIds, when?: Condition): Promise<void> {
    const change = { remove: [replacingName(import_id)], ...(when && { when }) };
    await updateItem(database, gateKey(company_id), change);
  }

  return {
    read,

    /** Notes beside the gate that an import replaces (rule 12), before it is accepted. The note goes when it has ended. */
    async noteReplacing({ company_id, import_id }: ImportIds, at: Instant): Promise<void> {
      await updateItem(database, gateKey(company_id), { set: { [replacingName(import_id)]: at } });
    },

    /** Whether an import of these notes is open, or being accepted. Removes the notes of others. */
    async isReplacing(company_id: string, notes: ReadonlyMap<string, Instant>, nowMs: number): Promise<boolean> {
      for (const [import_id, at] of notes) {
        const item = await read(company_id, import_id);
        const isAccepting = item === undefined && nowMs - Date.parse(at) < LONGEST_TIMEOUT_SECONDS * 1_000;
        if (isAccepting || item?.status === 'processing') return true;
        await forgetReplacing({ company_id, import_id }, equals(replacingName(import_id), at));
      }
      return false;
    },

    /** Creates the import if it does not exist. Returns the stored item: this one, or the one that was stored first. */
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

    /** Settles an open import whose summaries are complete. It stays open work until its event is sent. */
    async settle(item: ImportItem, completed_at: Instant): Promise<{ item: ImportItem; settled: boolean }> {
      const stored = await updateAndRead(database, importKey(item.company_id, item.import_id), {
        set: { ...ended(item), ...packDigests(item.digests), cancelled_at: item.cancelled_at, completed_at },
        when: stillOpen,
      });
      return { item: existing(optionalImport(stored.item)), settled: stored.changed };
    },

    async close({ company_id, import_id, reverted_at, replace }: ImportItem): Promise<void> {
      if (replace === true) await forgetReplacing({ company_id, import_id });
      const noOtherEventIsOwed = equals('reverted_at', reverted_at);
      await updateItem(database, importKey(company_id, import_id), {
        remove: [openImports.partitionKey, openImports.sortKey],
        when: allOf(hasEnded, noOtherEventIsOwed),
      });
    },

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
      const notCountedSince = equals('resends', resends);
      return updateItem(database, importKey(company_id, import_id), {
        set: { resends: resends + 1, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, notCountedSince),
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

import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, differs, equals, isAbsent, type Condition } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateAndRead, updateItem } from '../dynamodb/items.ts';
import { INDEX, gateKey, importKey } from '../dynamodb/table.ts';
import { replacingName } from '../jobs/gate.ts';
import { chunkStore } from './chunk-store.ts';
import { ended, optionalImport, packDigests, packImport, packSummary, summaryName } from './import-item.ts';
import { importLists, runReader } from './import-lists.ts';
import { runCounts } from './run-counts.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ChunkSummary, ImportIds, ImportItem, Instant } from '../shared/model.ts';

export type ImportStore = ReturnType<typeof importStore>;

export const importStore = (database: Database) => ({ ...workedImports(database), ...runCounts(database) });

export type WorkedImports = ReturnType<typeof workedImports>;

/** What jobs need of imports: not the counts of runs. */
export function workedImports(database: Database) {
  return { ...statusItems(database), ...importLists(database), ...runReader(database), ...chunkStore(database) };
}

const stillOpen = equals('status', 'processing');
const hasEnded = differs('status', 'processing');
const { openImports } = INDEX;

/** The status item of an import: created once, each summary set once, the terminal status set once. */
function statusItems(database: Database) {
  /** Strongly consistent. */
  const read = async (ids: ImportIds): Promise<ImportItem | undefined> =>
    optionalImport(await getItem(database, importKey(ids)));

  /** Changes the import if it is open and this holds. Returns what is stored then, and whether this call changed it. */
  const changeOpen = async (ids: ImportIds, set: Item, ...and: Condition[]) => {
    const { changed, item } = await updateAndRead(database, importKey(ids), { set, when: allOf(stillOpen, ...and) });
    return { changed, item: optionalImport(item) };
  };

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
        const item = await read({ company_id, import_id });
        const isAccepting = item === undefined && nowMs - Date.parse(at) < LONGEST_TIMEOUT_SECONDS * 1_000;
        if (isAccepting || item?.status === 'processing') return true;
        await forgetReplacing({ company_id, import_id }, equals(replacingName(import_id), at));
      }
      return false;
    },

    /** Creates the import if it does not exist. Returns the stored item: this one, or the one that was stored first. */
    async commit(item: ImportItem): Promise<ImportItem> {
      return (await putItem(database, packImport(item), itemIsAbsent)) ? item : existing(await read(item));
    },

    /** Sets the summary if it is absent and the import is open; moves `due_at` if one is given. Returns the stored import. */
    async setSummary(ids: ImportIds, chunk: number, summary: ChunkSummary, due_at?: Instant) {
      const notYetSummarised = isAbsent(summaryName(chunk));
      const set = { [summaryName(chunk)]: packSummary(summary), ...(due_at !== undefined && dueFrom(due_at)) };
      return (await changeOpen(ids, set, notYetSummarised)).item;
    },

    /** Settles an open import whose summaries are complete. It stays open work until its event is sent. */
    async settle(item: ImportItem, completed_at: Instant): Promise<{ item: ImportItem; settled: boolean }> {
      const { cancelled_at, digests } = item;
      const set = { ...ended(item), ...packDigests(digests), cancelled_at, completed_at };
      const stored = await changeOpen(item, set);
      return { item: existing(stored.item), settled: stored.changed };
    },

    async close(item: ImportItem): Promise<void> {
      if (item.replace === true) await forgetReplacing(item);
      const noOtherEventIsOwed = equals('reverted_at', item.reverted_at);
      await updateItem(database, importKey(item), {
        remove: [openImports.partitionKey, openImports.sortKey],
        when: allOf(hasEnded, noOtherEventIsOwed),
      });
    },

    async postpone(ids: ImportIds, due_at: Instant): Promise<void> {
      await updateItem(database, importKey(ids), { set: dueFrom(due_at), when: stillOpen });
    },

    /** Sets `cancelled_at` if the import is open and has none, and moves `due_at`. Returns the stored import. */
    async cancel(ids: ImportIds, cancelled_at: Instant, due_at: Instant): Promise<ImportItem> {
      const notYetCancelled = equals('cancelled_at', null);
      return existing((await changeOpen(ids, { cancelled_at, ...dueFrom(due_at) }, notYetCancelled)).item);
    },

    /** Counts a resend before it happens, if the import is open and still at `resends`. False if another call was first. */
    countResend(item: ImportItem, due_at: Instant): Promise<boolean> {
      const { resends } = item;
      const notCountedSince = equals('resends', resends);
      const set = { resends: resends + 1, ...dueFrom(due_at) };
      return updateItem(database, importKey(item), { set, when: allOf(stillOpen, notCountedSince) });
    },

    /** Sets `closing_at` if the import is open and has none, and moves `due_at`. Returns the stored import. */
    async startClosing(ids: ImportIds, closing_at: Instant, due_at: Instant): Promise<ImportItem | undefined> {
      const notYetClosing = isAbsent('closing_at');
      return (await changeOpen(ids, { closing_at, ...dueFrom(due_at) }, notYetClosing)).item;
    },
  };
}

const dueFrom = (due_at: Instant): Item => ({ [openImports.sortKey]: due_at });

/** Import items are never deleted, so a failed condition implies that the item exists. */
function existing(item: ImportItem | undefined): ImportItem {
  if (item === undefined) throw new Error('An import item is missing.');
  return item;
}

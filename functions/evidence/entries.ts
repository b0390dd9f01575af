/** What evidence says of each import of a run (§4.10), in the order in which the imports were accepted. */
import { importWithoutRecords } from '../imports/import-item.ts';
import type { RunReader } from '../imports/import-lists.ts';
import type { EvidenceEntry, ImportItem, ImportPosition, RunIds } from '../shared/model.ts';

export interface EntryServices {
  readonly stores: { readonly imports: RunReader };
}

export async function entriesOfRun(
  run: RunIds,
  { limit, after }: { readonly limit: number; readonly after?: ImportPosition | undefined },
  { stores: { imports } }: EntryServices,
) {
  const { items: listed, searchedTo } = await imports.importsOfRunFrom(run, after);
  const later = listed.filter(({ import_id }) => import_id !== after?.import_id);
  const chosen = later.slice(0, limit).map(({ import_id }) => import_id);
  const items = await imports.readAll(run.company_id, chosen);
  const last = later[limit - 1];
  return {
    entries: items.map(entryOf),
    isProcessing: items.some(({ status }) => status === 'processing'),
    searchedTo: later.length > limit && last !== undefined ? last : searchedTo,
  };
}

export async function allEntries(run: RunIds, services: EntryServices) {
  const entries: EvidenceEntry[] = [];
  let isProcessing = false;
  let after: ImportPosition | undefined;
  do {
    const page = await entriesOfRun(run, { limit: Number.MAX_SAFE_INTEGER, after }, services);
    entries.push(...page.entries);
    isProcessing ||= page.isProcessing;
    after = page.searchedTo;
  } while (after !== undefined);
  return { entries, isProcessing };
}

/** An import that ended before digests were made, or is still processing, has `null` for them. */
function entryOf(item: ImportItem): EvidenceEntry {
  const { import_id, created_at, created_by, ...shown } = importWithoutRecords(item);
  const { completed_at, cancelled_at, reverted_at, counts } = shown;
  const { records_digest = null, results_digest = null } = item.digests ?? {};
  const times = { created_at, created_by, completed_at, cancelled_at, reverted_at };
  return {
    import_id,
    ...times,
    counts,
    records_digest,
    results_digest,
    ...((item.changed_results ?? 0) > 0 && { erased: true }),
  };
}

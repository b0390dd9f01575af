/** What evidence says of each import of a run (§4.10), and the public keys that ever signed evidence of this stack. */
import type { PublishedKey } from '../auth/tokens.ts';
import { publicJwk } from '../auth/signing-keys.ts';
import { text } from '../dynamodb/attributes.ts';
import type { Database } from '../dynamodb/client.ts';
import { itemIsAbsent, putItem } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { EVIDENCE_KEYS_PARTITION, TABLE, evidenceKeyKey } from '../dynamodb/table.ts';
import { importWithoutRecords } from '../imports/import-item.ts';
import type { RunReader } from '../imports/import-lists.ts';
import type { EvidenceEntry, ImportItem, ImportPosition, RunIds } from '../shared/model.ts';

interface EntryServices {
  readonly stores: { readonly imports: RunReader };
}

/** In the order in which the imports were accepted. */
export async function entriesOfRun(
  run: RunIds,
  { limit, after }: { readonly limit: number; readonly after?: ImportPosition | undefined },
  { stores: { imports } }: EntryServices,
) {
  const { items, searchedTo } = await imports.readOfRun(run, { after, most: limit });
  const isProcessing = items.some(({ status }) => status === 'processing');
  return { entries: items.map(entryOf), isProcessing, searchedTo };
}

/** Every import of a run, in the order of acceptance, and whether one is processing. */
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
  const { company_id, status, dry_run, run_id, created_by_client, ...shown } = importWithoutRecords(item);
  const { records_digest = null, results_digest = null } = item.digests ?? {};
  const client = created_by_client === null ? {} : { created_by_client };
  return {
    ...shown,
    ...client,
    records_digest,
    results_digest,
    ...((item.changed_results ?? 0) > 0 && { erased: true }),
  };
}

type EvidenceKey = Pick<PublishedKey, 'kid' | 'jwk'>;

/** Kept for good: evidence has no end. */
export const evidenceKeyStore = (database: Database) => ({
  /** Harmless to repeat. */
  async publish({ kid, jwk }: EvidenceKey): Promise<void> {
    await putItem(database, { ...evidenceKeyKey(kid), jwk }, itemIsAbsent);
  },

  /** Strongly consistent: a key is published before it signs. */
  async list(): Promise<EvidenceKey[]> {
    const items = await queryAll(database, { partition: EVIDENCE_KEYS_PARTITION, strong: true });
    return items.map((item) => ({ kid: text(item, TABLE.sortKey), jwk: publicJwk(item) }));
  },
});

/**
 * Cancels an import (§4.9). `cancelled_at` is set once; from then on a chunk that has no plan gets one that rejects all its
 * records. The first plan wins, so a chunk has begun before, and is carried out whole, or it never begins.
 */
import { chunkMessages } from './chunk-queue.ts';
import type { StagedChunk } from './chunk-store.ts';
import { FIRST_DUE_MS, missingChunks, settleIfComplete } from './lifecycle.ts';
import type { ImportServices } from './services.ts';
import { externalRecordIdOf } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { IMPORT_CANCELLED, errorResult, summarise } from '../records/result.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportItem, Plan } from '../shared/model.ts';
import type { ImportIds } from './import-store.ts';

/**
 * Cancels the import if it is open, and ends what has not begun. Chunks that have begun are sent again, so that the import
 * ends even if their processor has died. Returns the import as it is then.
 */
export async function cancelImport(open: ImportIds, services: ImportServices): Promise<ImportItem> {
  const marked = await markCancelled(open, services);
  if (marked.status !== 'processing') return marked;
  const missing = missingChunks(marked);
  const begun = await inParallel(missing, CHUNKS_AT_ONCE, async (chunk) => hasBegun(marked, chunk, services));
  const left = missing.filter((_, position) => begun[position]);
  if (left.length > 0) await services.queue.send(chunkMessages(marked, left));
  const item = await services.stores.imports.read(marked.company_id, marked.import_id);
  return item === undefined ? marked : (await settleIfComplete(item, services)).item;
}

const CHUNKS_AT_ONCE = 8;

export function markCancelled(item: ImportIds, { clock, stores }: Pick<ImportServices, 'clock' | 'stores'>) {
  const nowMs = clock.nowMs();
  return stores.imports.cancel(item, instant(nowMs), instant(nowMs + FIRST_DUE_MS));
}

/** Whether another plan was there first. Otherwise the chunk is done: all its records are rejected. */
async function hasBegun(
  item: ImportItem,
  chunk: number,
  { clock, stores }: Pick<ImportServices, 'clock' | 'stores'>,
): Promise<boolean> {
  const { company_id, import_id, chunks } = item;
  const [payload] = await stores.imports.readPayloads(company_id, import_id, [chunks[chunk]?.payload_hash ?? '']);
  if (payload === undefined) return true;
  const plan = cancelledPlan(payload);
  if ((await stores.imports.putPlan(company_id, import_id, chunk, plan)) !== plan) return true;
  await stores.imports.setSummary(company_id, import_id, chunk, summarise(plan), instant(clock.nowMs() + FIRST_DUE_MS));
  return false;
}

/** The plan of a chunk that does not begin. */
export function cancelledPlan({ records, first_index }: StagedChunk): Plan {
  return {
    records,
    planned: records.map((raw, offset) => ({
      result: errorResult({ index: first_index + offset, external_record_id: externalRecordIdOf(raw) }, [
        IMPORT_CANCELLED,
      ]),
    })),
  };
}

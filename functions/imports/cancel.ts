/** Cancels an import (§4.9): a chunk without a plan then gets one that rejects all its records. The first plan wins. */
import { FIRST_DUE_MS, chunkMessages, missingChunks, settleIfComplete } from './lifecycle.ts';
import type { ImportServices } from './services.ts';
import { instant } from '../records/instants.ts';
import { IMPORT_CANCELLED, summarise } from '../records/result.ts';
import { rejectedChunk, type StagedChunk } from '../records/staged.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportItem, ImportIds } from '../shared/model.ts';

/** Cancels the import if it is open, and ends the chunks that have not started. Returns the import as it is then. */
export async function cancelImport(open: ImportIds, services: ImportServices<'imports'>): Promise<ImportItem> {
  return endCancelled(await markCancelled(open, services), services);
}

/** Marks an import as cancelled: no chunk starts after that. Of an ended import it changes nothing. */
export function markCancelled(open: ImportIds, { clock, stores }: Pick<ImportServices<'imports'>, 'clock' | 'stores'>) {
  const nowMs = clock.nowMs();
  return stores.imports.cancel(open, instant(nowMs), instant(nowMs + FIRST_DUE_MS));
}

const CHUNKS_AT_ONCE = 8;

/** Ends the chunks that have not started, and sends the others again, in case their processor died. */
export async function endCancelled(marked: ImportItem, services: ImportServices<'imports'>): Promise<ImportItem> {
  if (marked.status !== 'processing') return marked;
  const { chunks } = marked;
  const { imports } = services.stores;
  const missing = missingChunks(marked);
  const hashes = missing.map((chunk) => chunks[chunk]?.payload_hash ?? '');
  const payloads = await imports.readPayloads(marked, hashes);
  const hadPlan = await inParallel([...missing.entries()], CHUNKS_AT_ONCE, ([position, chunk]) =>
    hasPlan(marked, chunk, payloads[position], services),
  );
  const left = missing.filter((_, position) => hadPlan[position]);
  if (left.length > 0) await services.queue.send(chunkMessages(marked, left));
  const item = await imports.read(marked);
  return item === undefined ? marked : (await settleIfComplete(item, services)).item;
}

/** Whether the chunk had a plan already. Otherwise it is done now: all its records are rejected. */
async function hasPlan(
  item: ImportItem,
  chunk: number,
  payload: StagedChunk | undefined,
  { clock, stores }: Pick<ImportServices<'imports'>, 'clock' | 'stores'>,
): Promise<boolean> {
  if (payload === undefined) return true;
  const plan = rejectedChunk(payload, IMPORT_CANCELLED);
  if ((await stores.imports.putPlan(item, chunk, plan)) !== plan) return true;
  await stores.imports.setSummary(item, chunk, summarise(plan), instant(clock.nowMs() + FIRST_DUE_MS));
  return false;
}

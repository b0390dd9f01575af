import type { ImportItem } from '../domain/model.ts';
import { chunkMessages } from './accept-import.ts';
import { closeChunk } from './close-chunk.ts';
import { CLOSING_GRACE_MS, FIRST_DUE_MS, instant, isGivenUp, nextDueMs } from './due-times.ts';
import type { ChunkQueue, Clock, Stores } from './ports.ts';
import { missingChunks, settleIfComplete } from './settle-import.ts';

export interface WatchServices {
  readonly clock: Clock;
  readonly stores: Stores;
  readonly queue: ChunkQueue;
  /** Told of an import that could not be looked after this time; the others are. */
  readonly onFault: (import_id: string, error: unknown) => void;
}

export type WatchAction = 'none' | 'settled' | 'resent' | 'closing' | 'closed';
export interface Watched {
  /** As it stands afterwards. */
  readonly item: ImportItem;
  readonly action: WatchAction;
}

/**
 * Looks after every import that stopped moving, so that each one ends whatever failed: sends missing chunks again on a steep
 * ladder, closes them after 24 hours of it, settles what is complete. `everyOpen` does not wait until they are due (a restart
 * that lost the queue).
 */
export async function* watchImports(services: WatchServices, everyOpen = false): AsyncIterable<Watched> {
  const now = instant(services.clock.nowMs());
  const { imports } = services.stores;
  for await (const { company_id, import_id } of imports.listOpen(everyOpen ? undefined : now)) {
    try {
      const item = await imports.read(company_id, import_id);
      if (item !== undefined) yield await lookAfter(item, services, everyOpen);
    } catch (error) {
      services.onFault(import_id, error);
    }
  }
}

async function lookAfter(item: ImportItem, services: WatchServices, everyOpen: boolean): Promise<Watched> {
  if (item.status !== 'processing') return { item, action: 'none' };
  const missing = missingChunks(item);
  const now = services.clock.nowMs();
  if (missing.length === 0) return settle(item, services);
  if (item.closing_at !== undefined) return close(item, missing, now, services);
  if (!everyOpen && isGivenUp(item, now)) return announceClosing(item, now, services);
  return resend(item, missing, now + (everyOpen ? FIRST_DUE_MS : nextDueMs(item.resends)), services);
}

/** Counted before it is sent: two watchdogs at once, or one that dies, never send more than the ladder allows. */
async function resend(
  item: ImportItem,
  missing: readonly number[],
  dueMs: number,
  { stores, queue }: WatchServices,
): Promise<Watched> {
  if (!(await stores.imports.countResend(item, instant(dueMs)))) return { item, action: 'none' };
  await queue.send(chunkMessages(item, missing));
  return { item, action: 'resent' };
}

/** From here on no delivery starts new work; what has started is over once the grace has passed. */
async function announceClosing(item: ImportItem, now: number, { stores }: WatchServices): Promise<Watched> {
  await stores.imports.startClosing(item, instant(now), instant(now + CLOSING_GRACE_MS));
  return { item, action: 'closing' };
}

async function close(
  item: ImportItem,
  missing: readonly number[],
  now: number,
  services: WatchServices,
): Promise<Watched> {
  if (now < Date.parse(item.closing_at ?? '') + CLOSING_GRACE_MS) return { item, action: 'none' };
  let standing = item;
  for (const chunk of missing) standing = (await closeChunk(item, chunk, services)) ?? standing;
  return { ...(await settle(standing, services)), action: 'closed' };
}

async function settle(item: ImportItem, { clock, stores }: WatchServices): Promise<Watched> {
  const { item: standing, settled } = await settleIfComplete(item, { clock, imports: stores.imports });
  return { item: standing, action: settled ? 'settled' : 'none' };
}

import { chunkMessages } from './accept.ts';
import type { ChunkQueue } from './chunk-queue.ts';
import { CLOSING_GRACE_MS, FIRST_DUE_MS, isGivenUp, missingChunks, nextDueMs, settleIfComplete } from './lifecycle.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { planProcessingFailed } from '../records/plan.ts';
import { summarise } from '../records/result.ts';
import type { Clock } from '../runtime/system.ts';
import type { ImportStores } from './references.ts';
import type { ImportItem, Plan } from '../shared/model.ts';

export interface WatchServices {
  readonly clock: Clock;
  readonly stores: ImportStores;
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

/**
 * Gives up on a chunk that nothing could process (rule 13): its records end as `processing_failed`, but for those
 * that the plan rejects or leaves unchanged, and those whose contribution did arrive. Answers the import as it then stands.
 */
export async function closeChunk(
  item: ImportItem,
  chunk: number,
  services: { readonly clock: Clock; readonly stores: ImportStores },
): Promise<ImportItem | undefined> {
  const { imports } = services.stores;
  const [planned] = await imports.readPlans(item, [chunk]);
  const plan =
    planned ??
    (await imports.putPlan(item.company_id, item.import_id, chunk, await failedPlan(item, chunk, services.stores)));
  const failed = await unwritten(item, plan, services.stores);
  const summary = summarise(
    plan.planned.map(({ result }) => result),
    [],
    failed,
  );
  return imports.setSummary(item.company_id, item.import_id, chunk, summary, instant(services.clock.nowMs()));
}

async function failedPlan(item: ImportItem, chunk: number, { imports }: ImportStores): Promise<Plan> {
  const { first_index, size, payload_hash } = item.chunks[chunk] ?? { first_index: 0, size: 0, payload_hash: '' };
  const [payload] = await imports.readPayloads(item.company_id, item.import_id, [payload_hash]);
  const records = payload?.records ?? Array.from({ length: size }, () => null);
  return { records, planned: records.map((raw, offset) => planProcessingFailed(raw, first_index + offset)) };
}

async function unwritten(item: ImportItem, plan: Plan, { progress }: ImportStores): Promise<number[]> {
  const writes = plan.planned.flatMap(({ write }) => (write === undefined ? [] : [write]));
  const stored = await progress.courseHistories(item.company_id, writes);
  return writes
    .filter((write) => {
      const contributions = stored.get(learnerCourseId(write))?.contributions ?? [];
      return !contributions.some(
        ({ import_id, index }) => import_id === item.import_id && index === write.contribution.index,
      );
    })
    .map(({ contribution }) => contribution.index);
}

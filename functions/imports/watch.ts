import { chunkMessages, erasureMessage, revertMessage } from '../jobs/queue.ts';
import type { ErasureIds } from '../jobs/queue.ts';
import type { Gate } from '../jobs/gate.ts';
import type { OpenImport } from './import-store.ts';
import {
  ABANDONING_GRACE_MS,
  FIRST_DUE_MS,
  REVERT_DUE_MS,
  isGivenUp,
  missingChunks,
  nextDueMs,
  sendOwedEvent,
  settleIfComplete,
} from './lifecycle.ts';
import { writesOf } from '../reverts/report.ts';
import type { ImportServices, ImportStores } from './services.ts';
import { isAmong, learnerCourseId } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { rejectedStaged } from '../records/person.ts';
import { PROCESSING_FAILED, summarise } from '../records/result.ts';
import { batchesOf } from '../runtime/batching.ts';
import type { ChunkRef, ImportItem, Plan, RevertSubject } from '../shared/model.ts';

export type WatchAction = 'none' | 'settled' | 'resent' | 'postponed' | 'abandoning' | 'abandoned';

interface WatchedImport {
  /** As it is stored afterwards. */
  readonly item: ImportItem;
  readonly action: WatchAction;
}

/** How many imports are taken care of at once. */
const AT_ONCE = 10;

/**
 * Takes care of every import that stopped moving, so that each one ends whatever failed: sends missing chunks again on a steep
 * ladder, abandons them after 24 hours of it, settles what is complete. `everyOpen` does not wait until they are due (a restart
 * that lost the queue). While a revert holds the gate of a company its imports wait, and the revert is sent again. A fault of one import is logged, and the others are still taken care of. Yields ten at a time, so that
 * the caller can stop in between.
 */
export async function* watchImports(
  open: readonly OpenImport[],
  services: ImportServices,
  everyOpen = false,
): AsyncIterable<readonly WatchedImport[]> {
  const now = instant(services.clock.nowMs());
  const isClosed = gatesOf(services.stores);
  const due = everyOpen ? open : open.filter(({ due_at }) => due_at <= now);
  for (const together of batchesOf(due, AT_ONCE)) {
    const watched = await Promise.all(together.map((ids) => readAndWatch(ids, isClosed, services, everyOpen)));
    yield watched.filter((each) => each !== undefined);
  }
}

async function readAndWatch(
  { company_id, import_id, revert, erasure_id }: OpenImport,
  isClosed: ReturnType<typeof gatesOf>,
  services: ImportServices,
  everyOpen: boolean,
): Promise<WatchedImport | undefined> {
  try {
    if (revert !== undefined) return await watchRevert(revert, services);
    if (erasure_id !== undefined) return await sendErasure({ company_id, erasure_id }, services);
    const item = await services.stores.imports.read(company_id, import_id);
    if (item === undefined) return undefined;
    const mayWait = item.status === 'processing' && missingChunks(item).length > 0;
    return mayWait && (await isClosed(company_id))
      ? await postpone(item, services)
      : await watchOne(item, services, everyOpen);
  } catch (error) {
    const message = 'An import could not be watched. The next run tries again.';
    services.telemetry.error(message, error, { company_id, import_id });
    return undefined;
  }
}

/** Whether a revert holds the gate of a company, read once for each. */
function gatesOf({ reverts }: ImportStores) {
  const known = new Map<string, Promise<Gate>>();
  return async (company_id: string): Promise<boolean> => {
    const gate = known.get(company_id) ?? reverts.readGate(company_id);
    known.set(company_id, gate);
    return (await gate).by !== undefined;
  };
}

/** Counted before it is sent, as chunks are. */
async function watchRevert(subject: RevertSubject, { clock, stores, queue }: ImportServices): Promise<undefined> {
  const revert = await stores.reverts.read(subject);
  if (revert === undefined || revert.phase === 'done') return;
  const due_at = instant(clock.nowMs() + REVERT_DUE_MS);
  const counted = await stores.reverts.advance(revert, { resends: revert.resends + 1, due_at });
  if (counted !== undefined) await queue.send([revertMessage(subject, 0, 0)]);
}

/** Each of its steps moves the time at which it is due, so what is due has not begun, or has stopped. */
async function sendErasure(erasure: ErasureIds, { queue }: ImportServices): Promise<undefined> {
  await queue.send([erasureMessage(erasure, 0, 0)]);
}

/** No resend is counted, so nothing is abandoned for it. */
async function postpone(item: ImportItem, { clock, stores }: ImportServices): Promise<WatchedImport> {
  await stores.imports.postpone(item, instant(clock.nowMs() + FIRST_DUE_MS));
  return { item, action: 'postponed' };
}

async function watchOne(item: ImportItem, services: ImportServices, everyOpen: boolean): Promise<WatchedImport> {
  if (item.status !== 'processing') {
    await sendOwedEvent(item, services);
    return { item, action: 'none' };
  }
  const missing = missingChunks(item);
  const nowMs = services.clock.nowMs();
  if (missing.length === 0) return settle(item, services);
  if (item.closing_at !== undefined) {
    const graceIsOver = nowMs >= Date.parse(item.closing_at) + ABANDONING_GRACE_MS;
    return graceIsOver ? abandon(item, missing, services) : { item, action: 'none' };
  }
  if (!everyOpen && isGivenUp(item, nowMs)) return announceAbandoning(item, nowMs, services);
  return resend(item, missing, nowMs + (everyOpen ? FIRST_DUE_MS : nextDueMs(item.resends)), services);
}

/** Counted before it is sent: two watchdogs at once, or one that dies, never send more than the ladder allows. */
async function resend(
  item: ImportItem,
  missing: readonly number[],
  dueMs: number,
  { stores, queue }: ImportServices,
): Promise<WatchedImport> {
  if (!(await stores.imports.countResend(item, instant(dueMs)))) return { item, action: 'none' };
  await queue.send(chunkMessages(item, missing));
  return { item, action: 'resent' };
}

/** From here on no delivery starts new work; what has started ends before the grace period is over. */
async function announceAbandoning(item: ImportItem, nowMs: number, { stores }: ImportServices): Promise<WatchedImport> {
  await stores.imports.startClosing(item, instant(nowMs), instant(nowMs + ABANDONING_GRACE_MS));
  return { item, action: 'abandoning' };
}

async function abandon(item: ImportItem, missing: readonly number[], services: ImportServices): Promise<WatchedImport> {
  let current = item;
  for (const chunk of missing) current = (await abandonChunk(item, chunk, services)) ?? current;
  return { ...(await settle(current, services)), action: 'abandoned' };
}

async function settle(item: ImportItem, services: ImportServices): Promise<WatchedImport> {
  const { item: current, settled } = await settleIfComplete(item, services);
  return { item: current, action: settled ? 'settled' : 'none' };
}

/**
 * Gives up on a chunk that nothing could process (rule 13): its records end as `processing_failed`, but for those
 * that the plan rejects or leaves unchanged, and those whose contribution did arrive. Returns the stored import.
 */
async function abandonChunk(
  item: ImportItem,
  chunk: number,
  { clock, stores }: ImportServices,
): Promise<ImportItem | undefined> {
  const { company_id, import_id } = item;
  const [planned] = await stores.imports.readPlans(item, [chunk]);
  const plan = planned ?? (await stores.imports.putPlan(item, chunk, await failedPlan(item, chunk, stores)));
  const summary = summarise(plan, [], await unwritten(item, plan, stores));
  return stores.imports.setSummary(company_id, import_id, chunk, summary, instant(clock.nowMs()));
}

async function failedPlan(item: ImportItem, chunk: number, { imports }: ImportStores): Promise<Plan> {
  const { first_index, size, payload_hash } = item.chunks[chunk] as ChunkRef;
  const [payload] = await imports.readPayloads(item.company_id, item.import_id, [payload_hash]);
  const records = payload?.records ?? Array.from({ length: size }, () => null);
  const { erased = [] } = payload ?? {};
  return rejectedStaged({ records, first_index, erased }, PROCESSING_FAILED);
}

/** Positions of the records whose contribution was planned and is not stored. */
async function unwritten(item: ImportItem, plan: Plan, { progress }: ImportStores): Promise<number[]> {
  const writes = writesOf([plan]);
  const stored = await progress.courseHistories(item.company_id, writes);
  return writes
    .filter((write) => !isAmong(stored.get(learnerCourseId(write))?.contributions, write.contribution))
    .map(({ contribution }) => contribution.index);
}

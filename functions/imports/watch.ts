import { isClosed, type gateReader } from '../jobs/gate.ts';
import { holderNamed } from '../jobs/work.ts';
import {
  ABANDONING_GRACE_MS,
  FIRST_DUE_MS,
  chunkMessages,
  isGivenUp,
  missingChunks,
  nextDueMs,
  sendOwedEvent,
  settleIfComplete,
} from './lifecycle.ts';
import { writesOf } from './plan-chunk.ts';
import type { ImportServices, ImportStores } from './services.ts';
import { storedIn } from '../records/versions.ts';
import { instant } from '../records/instants.ts';
import { PROCESSING_FAILED, summarise } from '../records/result.ts';
import { emptyChunk, rejectedChunk } from '../records/staged.ts';
import { batchesOf } from '../runtime/batching.ts';
import type { ImportItem, Plan, ImportIds } from '../shared/model.ts';

export type WatchAction = 'none' | 'settled' | 'resent' | 'postponed' | 'abandoning' | 'abandoned';

type WatchServices = ImportServices<'imports' | 'progress' | 'archive'>;

interface WatchedImport {
  readonly item: ImportItem;
  readonly action: WatchAction;
}

/**
 * Continues an import that stopped: sends missing chunks on a steep ladder, abandons them after 24 hours, settles. While the gate
 * is closed it waits. `everyOpen`: the queue was lost, so chunks are sent although not due.
 */
export async function watchImport(
  ids: ImportIds,
  isClosedFor: ReturnType<typeof gateReader>,
  services: WatchServices,
  everyOpen = false,
): Promise<WatchedImport | undefined> {
  const item = await services.stores.imports.read(ids);
  if (item === undefined) return undefined;
  const mayWait = item.status === 'processing' && missingChunks(item).length > 0;
  if (mayWait && (await isClosedFor(ids.company_id))) return postpone(item, services);
  return watchOne(item, services, everyOpen);
}

const AT_ONCE = 16;

/** Sends what waited for the gate of a company: the work that has it now, or, if it is not closed, the missing chunks. */
export async function resendWaiting(
  company_id: string,
  { stores: { imports, jobs }, queue }: Pick<ImportServices<'imports' | 'jobs'>, 'stores' | 'queue'>,
): Promise<void> {
  const gate = await jobs.readGate(company_id);
  const { by } = gate;
  if (by !== undefined && isClosed(gate)) return queue.send([{ ...holderNamed(company_id, by), hops: 0 }]);
  const open = await jobs.listOpen();
  const own = open.flatMap((work) => (work.kind === 'import' && work.company_id === company_id ? [work] : []));
  for (const some of batchesOf(own, AT_ONCE)) {
    const items = await Promise.all(some.map(imports.read));
    const waiting = items.filter((item) => item !== undefined).filter(({ status }) => status === 'processing');
    await queue.send(waiting.flatMap((item) => chunkMessages(item)));
  }
}

/** No resend is counted, so waiting abandons nothing. */
async function postpone(item: ImportItem, { clock, stores }: WatchServices): Promise<WatchedImport> {
  await stores.imports.postpone(item, instant(clock.nowMs() + FIRST_DUE_MS));
  return { item, action: 'postponed' };
}

async function watchOne(item: ImportItem, services: WatchServices, everyOpen: boolean): Promise<WatchedImport> {
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
  { stores, queue }: WatchServices,
): Promise<WatchedImport> {
  if (!(await stores.imports.countResend(item, instant(dueMs)))) return { item, action: 'none' };
  await queue.send(chunkMessages(item, missing));
  return { item, action: 'resent' };
}

/** After this no delivery starts new work, and work that has started ends within the grace period. */
async function announceAbandoning(item: ImportItem, nowMs: number, { stores }: WatchServices): Promise<WatchedImport> {
  await stores.imports.startClosing(item, instant(nowMs), instant(nowMs + ABANDONING_GRACE_MS));
  return { item, action: 'abandoning' };
}

async function abandon(item: ImportItem, missing: readonly number[], services: WatchServices): Promise<WatchedImport> {
  let current = item;
  for (const chunk of missing) current = (await abandonChunk(item, chunk, services)) ?? current;
  const isDone = missingChunks(current).length === 0;
  return { ...(await settle(current, services)), action: isDone ? 'abandoned' : 'abandoning' };
}

async function settle(item: ImportItem, services: WatchServices): Promise<WatchedImport> {
  const { item: current, settled } = await settleIfComplete(item, services);
  return { item: current, action: settled ? 'settled' : 'none' };
}

/**
 * Gives up on a chunk (rule 13): its records are `processing_failed`, but for rejected ones and those whose contribution was
 * written. Ids claimed in vain are freed first (rule 12). `undefined` while they have to wait for that.
 */
async function abandonChunk(
  item: ImportItem,
  chunk: number,
  { clock, stores }: WatchServices,
): Promise<ImportItem | undefined> {
  const [planned] = await stores.imports.readPlans(item, [chunk]);
  const plan = planned ?? (await stores.imports.putPlan(item, chunk, await failedPlan(item, chunk, stores)));
  const nowMs = clock.nowMs();
  if (!(await stores.progress.freeUnused(item.company_id, writesOf([plan]), nowMs, ABANDONING_GRACE_MS)))
    return undefined;
  await stores.archive.putArchived(item, chunk, plan);
  const summary = summarise(plan, [], await unwritten(item, plan, stores));
  return stores.imports.setSummary(item, chunk, summary, instant(nowMs));
}

async function failedPlan(item: ImportItem, chunk: number, { imports }: Pick<ImportStores, 'imports'>): Promise<Plan> {
  const ref = item.chunks[chunk];
  if (ref === undefined) throw new Error('A chunk that the import does not have cannot be abandoned.');
  const [payload] = await imports.readPayloads(item, [ref.payload_hash]);
  return rejectedChunk(payload ?? emptyChunk(ref), PROCESSING_FAILED);
}

/** Positions of the records whose contribution was planned and is not stored. */
async function unwritten(
  item: ImportItem,
  plan: Plan,
  { progress }: Pick<ImportStores, 'progress'>,
): Promise<number[]> {
  const writes = writesOf([plan]);
  const isStored = storedIn(await progress.courseHistories(item.company_id, writes));
  return writes.filter((write) => !isStored(write)).map(({ contribution }) => contribution.index);
}

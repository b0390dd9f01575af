import { digestsOf } from './results.ts';
import { countsOf, importWithoutRecords } from './import-item.ts';
import type { ImportServices } from './services.ts';
import type { ChunkWork, Message } from '../jobs/work.ts';
import { instant } from '../records/instants.ts';
import { isCancelled } from '../records/result.ts';
import type { MetricName } from '../runtime/metrics.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { ImportCounts, ImportItem } from '../shared/model.ts';

type SettlingServices = Pick<ImportServices<'imports'>, 'clock' | 'stores' | 'telemetry' | 'events'>;

/** The times at which the watchdog sends an open import again, and abandons missing chunks. All in milliseconds. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The watchdog may look a minute later: an import whose messages were never sent still ends within two minutes. */
export const FIRST_DUE_MS = 50 * SECOND;

/** A due time this far ahead does not move: moving it costs two writes to the index of open imports. */
const FAR_ENOUGH_MS = MINUTE / 2;

const LONGEST_RESEND_MS = 4 * HOUR;
/** After each re-send. Steep, because re-sending into a backlog only lengthens it. */
const RESEND_LADDER_MS = [4 * MINUTE, 16 * MINUTE, 64 * MINUTE, LONGEST_RESEND_MS];

/** No chunk is abandoned earlier than this after acceptance. */
const ABANDON_AFTER_MS = 24 * HOUR;

/** How long before it happens abandoning, or freeing an id, is announced: longer than two invocations. */
export const ABANDONING_GRACE_MS = MINUTE;

/** The due time after a chunk that ends now; `undefined` if it does not change. */
export function dueAfterChunk(dueAt: string | undefined, nowMs: number): string | undefined {
  const leftMs = dueAt === undefined ? 0 : Date.parse(dueAt) - nowMs;
  return leftMs >= FAR_ENOUGH_MS ? undefined : instant(nowMs + FIRST_DUE_MS);
}

/** A day has passed, with every step of the ladder in it: after an outage of a day the day alone proves nothing. */
export function isGivenUp({ created_at, resends }: { created_at: string; resends: number }, nowMs: number): boolean {
  return nowMs - Date.parse(created_at) >= ABANDON_AFTER_MS && resends >= RESEND_LADDER_MS.length;
}

/** How long the watchdog waits after so many resends: longer each time, up to four hours. */
export function nextDueMs(resends: number): number {
  return RESEND_LADDER_MS[resends] ?? LONGEST_RESEND_MS;
}

/** The numbers of the chunks that have no summary. */
export function missingChunks(item: ImportItem): number[] {
  return item.chunks.map((_, chunk) => chunk).filter((chunk) => item.summaries[chunk] === undefined);
}

/** A message for each of these chunks, by default for each that is missing. */
export function chunkMessages(item: ImportItem, wanted: readonly number[] = missingChunks(item)): Message<ChunkWork>[] {
  const { company_id, import_id, chunks } = item;
  return wanted.flatMap((chunk) => {
    const payload_hash = chunks[chunk]?.payload_hash;
    return payload_hash === undefined ? [] : [{ kind: 'chunk', company_id, import_id, chunk, payload_hash, hops: 0 }];
  });
}

/** Ends an import whose chunks are all summarised (§3); the first write sends the event. Returns whether it did. */
export async function settleIfComplete(item: ImportItem, services: SettlingServices) {
  const { clock, stores } = services;
  if (item.status !== 'processing' || missingChunks(item).length > 0) return { item, settled: false };
  const status = terminalStatus(countsOf(item));
  const cancelled_at = await effectiveCancel(item, stores);
  const digests = await digestsOf(item, services);
  const ending = { ...item, status, cancelled_at, ...(digests && { digests }) };
  const outcome = await stores.imports.settle(ending, instant(clock.nowMs()));
  if (outcome.settled) await sendOwedEvent(outcome.item, services);
  return outcome;
}

/** "A cancel that no record was left for leaves `cancelled_at` `null`" (§4.9): the plans tell which records were. */
async function effectiveCancel(item: ImportItem, { imports }: SettlingServices['stores']): Promise<string | null> {
  if (item.cancelled_at === null) return null;
  const failing = [...item.chunks.keys()].filter((chunk) => (item.summaries[chunk]?.failed ?? 0) > 0);
  const plans = await imports.readPlans(item, failing);
  const hasCancelled = plans.some((plan) => plan?.planned.some(({ result }) => isCancelled(result)));
  return hasCancelled ? item.cancelled_at : null;
}

/** Sends the events that an import owes, then takes it out of the index of open work, by which the watchdog retries. */
export async function sendOwedEvent(item: ImportItem, { stores, telemetry, events }: SettlingServices): Promise<void> {
  try {
    const subject = importWithoutRecords(item);
    if (item.reverted_at === null || item.end_is_owed === true) {
      await events.send({ type: 'Import Ended', import: { ...subject, reverted_at: null } });
    }
    if (item.reverted_at !== null) await events.send({ type: 'Import Reverted', import: subject });
    await stores.imports.close(item);
  } catch (error) {
    telemetry.error('The event of an import could not be sent. The watchdog sends it.', error, {
      company_id: item.company_id,
      import_id: item.import_id,
    });
  }
}

/** §3: `success` if every record was applied, `error` if no record was, else `partial_success`. Warnings do not matter. */
export function terminalStatus(counts: ImportCounts): 'success' | 'partial_success' | 'error' {
  if (counts.succeeded === 0) return 'error';
  return counts.succeeded === counts.total ? 'success' : 'partial_success';
}

const SETTLED: Readonly<Record<ImportItem['status'], MetricName | undefined>> = {
  success: 'ImportsSucceeded',
  partial_success: 'ImportsPartlySucceeded',
  error: 'ImportsFailed',
  validated: undefined,
  processing: undefined,
};

/** Counts the end of an import by its status, and the time since it was accepted. */
export function reportSettled(telemetry: Telemetry, item: ImportItem): void {
  const metric = SETTLED[item.status];
  if (metric) telemetry.count(metric);
  telemetry.time('TimeToTerminal', Date.parse(item.completed_at ?? item.created_at) - Date.parse(item.created_at));
}

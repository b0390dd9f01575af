import { chunksOf, duplicatesIn } from './batch.ts';
import type { ChunkQueue } from './chunk-queue.ts';
import { sha256 } from './identity.ts';
import type { StagedChunk } from './import-store.ts';
import { FIRST_DUE_MS, missingChunks } from './lifecycle.ts';
import { planChunk } from './plan-chunk.ts';
import type { PlanningServices } from './plan-chunk.ts';
import { externalRecordIdOf } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { jsonBytes, jsonText } from '../records/json.ts';
import { mayFillPair } from '../records/pair-limits.ts';
import { summarise } from '../records/result.ts';
import type { Clock } from '../runtime/system.ts';
import type { ImportStores } from './references.ts';
import { CHUNK_LIMITS, MAX_RECORDS_PER_IMPORT } from '../shared/limits.ts';
import type { ImportItem, Plan } from '../shared/model.ts';

export interface ImportRequest {
  readonly company_id: string;
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly records: readonly unknown[];
  /** What the Idempotency-Key is bound to (import-identity.ts). */
  readonly fingerprint: string;
  /** Random id of this invocation. */
  readonly attempt_id: string;
  /** The import that stands under this id already, if one was seen. */
  readonly standing?: ImportItem;
}

export interface ChunkLimits {
  readonly records: number;
  readonly bytes: number;
}

export interface AcceptingServices extends PlanningServices {
  readonly clock: Clock;
  readonly stores: ImportStores;
  readonly queue: ChunkQueue;
  /** Told when chunks could not be sent; the watchdog sends them later. */
  readonly onUnsent: (error: unknown) => void;
  readonly chunkLimits?: ChunkLimits;
}

export type Acceptance =
  | { readonly kind: 'accepted' | 'replayed'; readonly item: ImportItem }
  | { readonly kind: 'key_reused' };

type StagedChunks = readonly { readonly hash: string; readonly chunk: StagedChunk }[];

/**
 * Accepts an import (§4.2 operation 7): stage the payload (a dry run: its report), commit the import item, send one message
 * a chunk. Nothing before the commit can be seen; after it the import ends whatever fails. A repeat with the same
 * fingerprint answers the import that stands, and sends what it still misses; another fingerprint is `key_reused`.
 */
export async function acceptImport(request: ImportRequest, services: AcceptingServices): Promise<Acceptance> {
  if (request.standing !== undefined) return replay(request.standing, request, services);
  const created_at = instant(services.clock.nowMs());
  const chunks = stagedChunks(request.records, services.chunkLimits ?? CHUNK_LIMITS);
  const item = request.dry_run
    ? await reportDryRun(request, created_at, chunks, services)
    : await stageImport(request, created_at, chunks, services);
  const standing = await services.stores.imports.commit(item);
  if (standing.attempt_id === request.attempt_id) {
    await sendMissing(standing, services);
    return { kind: 'accepted', item: standing };
  }
  const { company_id, import_id, attempt_id } = request;
  if (request.dry_run) await services.stores.imports.dropReport(company_id, import_id, attempt_id, chunks.length);
  return replay(standing, request, services);
}

/** What the caller was first answered: the import as it was when it was accepted. */
export function asAccepted(item: ImportItem): ImportItem {
  return item.dry_run ? item : { ...item, status: 'processing', completed_at: null, summaries: {} };
}

async function replay(standing: ImportItem, request: ImportRequest, services: AcceptingServices): Promise<Acceptance> {
  if (standing.fingerprint !== request.fingerprint) return { kind: 'key_reused' };
  await sendMissing(standing, services);
  return { kind: 'replayed', item: standing };
}

function stagedChunks(records: readonly unknown[], limits: ChunkLimits): StagedChunks {
  const repeats = duplicatesIn(records);
  const tooLarge = [...records.keys()].filter((index) => jsonBytes(records[index]) > CHUNK_LIMITS.bytes);
  const kept = records.map((raw, index) =>
    tooLarge.includes(index) ? { external_record_id: externalRecordIdOf(raw) } : raw,
  );
  const most = mayFillPair(kept) ? MAX_RECORDS_PER_IMPORT : limits.records;
  return chunksOf(kept, { ...limits, records: most }).map(({ first_index, records: some }) => {
    const isHere = (index: number) => index >= first_index && index < first_index + some.length;
    const chunk = {
      first_index,
      records: some,
      duplicates: repeats.filter(isHere),
      oversized: tooLarge.filter(isHere),
    };
    return { hash: sha256(jsonText(chunk)).slice(0, 32), chunk };
  });
}

async function stageImport(
  request: ImportRequest,
  created_at: string,
  chunks: StagedChunks,
  services: AcceptingServices,
) {
  await services.stores.imports.stage(request.company_id, request.import_id, chunks);
  const due_at = instant(Date.parse(created_at) + FIRST_DUE_MS);
  return {
    ...newItem(request, created_at, chunks),
    status: 'processing' as const,
    completed_at: null,
    summaries: {},
    due_at,
  };
}

async function reportDryRun(
  request: ImportRequest,
  created_at: string,
  chunks: StagedChunks,
  services: AcceptingServices,
) {
  const { company_id, import_id, attempt_id } = request;
  const scope = { company_id, import_id, imported_at: created_at, dry_run: true };
  const plans: Plan[] = await Promise.all(chunks.map(({ chunk }) => planChunk(chunk, scope, services)));
  await services.stores.imports.putReport(company_id, import_id, attempt_id, plans);
  const summaries = plans.map(({ planned }) =>
    summarise(
      planned.map(({ result }) => result),
      [],
      [],
    ),
  );
  return {
    ...newItem(request, created_at, chunks),
    status: 'validated' as const,
    completed_at: created_at,
    summaries: Object.fromEntries(summaries.entries()),
  };
}

function newItem(
  { company_id, import_id, dry_run, records, fingerprint, attempt_id }: ImportRequest,
  created_at: string,
  chunks: StagedChunks,
) {
  return {
    company_id,
    import_id,
    dry_run,
    created_at,
    total: records.length,
    fingerprint,
    attempt_id,
    resends: 0,
    chunks: chunks.map(({ hash, chunk }) => ({
      first_index: chunk.first_index,
      size: chunk.records.length,
      payload_hash: hash,
    })),
  };
}

/** The answer does not wait for the queue to recover: what cannot be sent now, the watchdog sends. */
async function sendMissing(item: ImportItem, services: AcceptingServices): Promise<void> {
  if (item.status !== 'processing') return;
  await services.queue.send(chunkMessages(item, missingChunks(item))).catch(services.onUnsent);
}

export function chunkMessages(item: ImportItem, chunks: readonly number[]) {
  const { company_id, import_id } = item;
  return chunks.flatMap((chunk) => {
    const payload_hash = item.chunks[chunk]?.payload_hash;
    return payload_hash === undefined ? [] : [{ company_id, import_id, chunk, payload_hash }];
  });
}

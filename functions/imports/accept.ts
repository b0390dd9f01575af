import { shownCreator, type StoredCreator } from '../auth/creator.ts';
import type { QuotaStore, RateLimitHeaders } from '../auth/quotas.ts';
import { preparedChunks, type PreparedChunk } from './batch.ts';
import { storeDryRun } from './plan-chunk.ts';
import { UNTOUCHED, keptUntil, type Keeping } from './import-item.ts';
import { FIRST_DUE_MS, chunkMessages } from './lifecycle.ts';
import { digestsOfResults } from './results.ts';
import type { ImportServices, PlanningStores } from './services.ts';
import { instant } from '../records/instants.ts';
import type { ImportItem, Instant, RecordResult } from '../shared/model.ts';

/** A well-formed request for an import, with the id that its key or chance gave it. */
export interface AcceptRequest {
  readonly company_id: string;
  readonly import_id: string;
  readonly dry_run: boolean;
  /** Rule 12: what earlier imports said of its records counts no longer. */
  readonly replace?: boolean;
  /** §4.12: what nobody or no course answers to is kept. */
  readonly archive?: boolean;
  readonly by: StoredCreator;
  readonly run_id: string | null;
  readonly records: readonly unknown[];
  readonly fingerprint: string;
  readonly attempt_id: string;
  /** The import that is stored under this id already, if one was found. */
  readonly existing?: ImportItem;
}

/** `results`: of a dry run that this call planned; those of a replayed one are stored (`readResults`). */
export type Acceptance =
  | {
      readonly kind: 'accepted';
      readonly item: ImportItem;
      readonly results?: readonly RecordResult[];
      readonly headers: RateLimitHeaders;
    }
  | { readonly kind: 'replayed'; readonly item: ImportItem; readonly results?: undefined; readonly headers?: undefined }
  | { readonly kind: 'key_reused'; readonly item: ImportItem };

/**
 * Accepts an import (§4.2 operation 7); after the commit it ends whatever fails. A repeat with the same fingerprint returns the
 * stored one and sends its missing chunks; another is `key_reused`. Throws `QuotaExceeded` before anything is stored.
 */
export async function acceptImport(request: AcceptRequest, services: AcceptingServices): Promise<Acceptance> {
  if (request.existing !== undefined) return replay(request.existing, request, services);
  const chunks = preparedChunks(request.records);
  const use = { imports: 1, upload_bytes: chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) };
  const { quotas } = services.stores;
  const admitted = quotas.spend(request.company_id, use, services.clock.nowMs());
  if (request.replace === true && !request.dry_run) {
    // Before `created_at`: each chunk of an import that is accepted later finds the note until this import has ended.
    await admitted;
    await services.stores.imports.noteReplacing(request, instant(services.clock.nowMs()));
  }
  const accept = request.dry_run ? acceptDryRun : acceptForProcessing;
  return accept({ request, created_at: instant(services.clock.nowMs()), chunks, admitted }, services);
}

/** Without `events`: acceptance ends no real import, and a dry run has no event. */
export type AcceptingServices = Omit<ImportServices<'imports'>, 'events'> &
  Keeping & {
    readonly stores: PlanningStores & { readonly quotas: QuotaStore };
  };

interface NewImport {
  readonly request: AcceptRequest;
  readonly created_at: Instant;
  readonly chunks: readonly PreparedChunk[];
  /** Rejects if a quota is used up. Runs in parallel with staging and reading. */
  readonly admitted: Promise<RateLimitHeaders>;
}

/** Stages the payload, commits the import item and sends one message a chunk. */
async function acceptForProcessing(accepted: NewImport, services: AcceptingServices): Promise<Acceptance> {
  const { request, created_at, chunks, admitted } = accepted;
  const { imports } = services.stores;
  await Promise.all([listRun(accepted, services), imports.stage(request, chunks)]);
  const item = await imports.commit({
    ...newItem(accepted),
    ...keptUntil(created_at, { archive: request.archive === true }, services),
    due_at: instant(Date.parse(created_at) + FIRST_DUE_MS),
  });
  if (item.attempt_id !== request.attempt_id) return replay(item, request, services);
  await sendMissing(item, services);
  return { kind: 'accepted', item, headers: await admitted };
}

/** An import makes the run that it names. */
async function listRun({ request, created_at, admitted }: NewImport, { stores }: AcceptingServices): Promise<void> {
  await admitted;
  const { company_id, run_id, by, dry_run } = request;
  if (run_id !== null) await stores.imports.putRun({ company_id, run_id }, { created_at, by, dry_run });
}

async function acceptDryRun(accepted: NewImport, services: AcceptingServices): Promise<Acceptance> {
  const { imports } = services.stores;
  const { request, created_at, chunks, admitted } = accepted;
  const { company_id, import_id, attempt_id, run_id, replace = false, archive = false } = request;
  const mayBePlanned = run_id !== null;
  const scope = { company_id, import_id, attempt_id, replace, archive, mayBePlanned, imported_at: created_at };
  const [{ summaries, reported }] = await Promise.all([
    storeDryRun(chunks, scope, services, admitted),
    listRun(accepted, services),
  ]);
  const results = reported.map(({ result }) => result);
  const item = await imports.commit({
    ...newItem(accepted),
    status: 'validated',
    completed_at: created_at,
    summaries,
    ...(request.run_id !== null && { digests: digestsOfResults(request, reported) }),
  });
  if (item.attempt_id === attempt_id) return { kind: 'accepted', item, results, headers: await admitted };
  await imports.dropReport(request, attempt_id, chunks.length);
  return replay(item, request, services);
}

function newItem({ request, created_at, chunks }: Omit<NewImport, 'admitted'>) {
  const { company_id, import_id, dry_run, by, run_id, fingerprint, attempt_id } = request;
  const ids = { company_id, import_id, run_id, attempt_id };
  return {
    ...ids,
    ...UNTOUCHED,
    dry_run,
    created_at,
    ...shownCreator(by),
    total: request.records.length,
    ...(request.replace === true && { replace: true as const }),
    ...(request.archive === true && { archive: true as const }),
    fingerprint,
    resends: 0,
    chunks: chunks.map(({ hash, chunk }) => ({
      first_index: chunk.first_index,
      size: chunk.records.length,
      payload_hash: hash,
    })),
  };
}

async function replay(existing: ImportItem, request: AcceptRequest, services: AcceptingServices): Promise<Acceptance> {
  if (existing.fingerprint !== request.fingerprint) return { kind: 'key_reused', item: existing };
  await sendMissing(existing, services);
  return { kind: 'replayed', item: existing };
}

/** The response does not wait for the queue to recover: the watchdog sends the chunks that cannot be sent now. */
async function sendMissing(item: ImportItem, { queue, telemetry }: AcceptingServices): Promise<void> {
  if (item.status !== 'processing') return;
  await queue
    .send(chunkMessages(item))
    .catch((error: unknown) => telemetry.error('Chunks could not be sent. The watchdog sends them.', error));
}

/** The first response: the import as it was when it was accepted. */
export function asAccepted(item: ImportItem): ImportItem {
  if (item.dry_run) return item;
  return { ...item, ...UNTOUCHED };
}

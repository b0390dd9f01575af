/** Requests a revert, previews it, and reports its state (§4.9). */
import { STEP_DUE_MS } from '../jobs/steps.ts';
import { NO_COUNTS, revertCounts, sumOfCounts } from './report.ts';
import type { Revert, RevertReport } from './store.ts';
import { previewRevert } from './work.ts';
import type { PreviewStores, RevertServices } from './work.ts';
import { instant } from '../records/instants.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportItem, ImportRevert, ImportSummary, RunRevert, RevertSubject } from '../shared/model.ts';

export interface PreviewServices extends Pick<RevertServices, 'clock'> {
  readonly stores: PreviewStores;
}
export type RequestingServices = PreviewServices & Pick<RevertServices, 'queue' | 'telemetry'>;
/** A run of a company. */
type RunIds = Pick<RunRevert, 'company_id' | 'run_id'>;

/** The report that a revert of this import would give now. A dry run wrote nothing, so there is nothing to revert. */
export async function previewImportRevert(
  item: ImportItem,
  created_by: number,
  { clock, stores }: PreviewServices,
): Promise<ImportRevert> {
  const now = instant(clock.nowMs());
  const report = await previewRevert(item, new Set([item.import_id]), stores);
  const requested = { created_at: now, created_by, completed_at: now };
  return { ...importRevert(item, report), status: 'validated', dry_run: true, ...requested };
}

/** Requests the revert of an import that has ended. A repeat finds the same. */
export async function requestImportRevert(
  { company_id, import_id, run_id, total }: ImportItem,
  requested_by: number,
  services: RequestingServices,
): Promise<ImportRevert> {
  const revert = await request({ kind: 'import', company_id, import_id }, [import_id], requested_by, services);
  const { requested_at: created_at, requested_by: created_by } = revert;
  const counts = { ...NO_COUNTS, total };
  const requested = { created_at, created_by, completed_at: null };
  return { import_id, company_id, run_id, status: 'processing', dry_run: false, ...requested, counts, records: [] };
}

/** The revert of an import as it is now; `undefined` if none was requested. */
export async function readImportRevert(
  item: ImportItem,
  { stores }: PreviewServices,
): Promise<ImportRevert | undefined> {
  const { company_id, import_id } = item;
  const revert = await stores.reverts.read({ kind: 'import', company_id, import_id });
  if (revert === undefined) return undefined;
  const report = item.reverted_at === null ? undefined : await stores.reverts.readReport(item);
  const requested = { created_at: revert.requested_at, created_by: revert.requested_by };
  const shown = importRevert(item, report ?? { records: [], freed: [] });
  return {
    ...shown,
    counts: { ...shown.counts, total: item.total },
    status: report === undefined ? 'processing' : 'success',
    ...requested,
    completed_at: item.reverted_at,
  };
}

function importRevert(item: ImportItem, { records }: RevertReport) {
  const { company_id, import_id, run_id } = item;
  return { import_id, company_id, run_id, dry_run: false, counts: revertCounts(records), records };
}

/** The revert that these imports of a run would get now. */
export async function previewRunRevert(
  run: RunIds,
  imports: readonly ImportSummary[],
  created_by: number,
  { clock, stores }: PreviewServices,
): Promise<RunRevert> {
  const now = instant(clock.nowMs());
  const ids = imports.map(({ import_id }) => import_id);
  const reverted = new Set(ids);
  const counts = await inParallel(ids, IMPORTS_AT_ONCE, async (import_id) => {
    const item = await stores.imports.read(run.company_id, import_id);
    return item === undefined ? NO_COUNTS : revertCounts((await previewRevert(item, reverted, stores)).records);
  });
  return {
    ...run,
    status: 'validated',
    dry_run: true,
    created_at: now,
    created_by,
    completed_at: now,
    counts: { imports: ids.length, ...counts.reduce(sumOfCounts, NO_COUNTS) },
  };
}

const IMPORTS_AT_ONCE = 4;

/** Requests the revert of these imports of a run, which have ended. A repeat finds the first request. */
export async function requestRunRevert(
  run: RunIds,
  imports: readonly ImportSummary[],
  requested_by: number,
  services: RequestingServices,
): Promise<RunRevert> {
  const ids = imports.map(({ import_id }) => import_id);
  return runRevert(run, await request(subjectOf(run), ids, requested_by, services));
}

/** The revert of a run as it is now; `undefined` if none was requested. */
export async function readRunRevert(run: RunIds, { stores }: PreviewServices): Promise<RunRevert | undefined> {
  const revert = await stores.reverts.read(subjectOf(run));
  return revert && runRevert(run, revert);
}

const subjectOf = ({ company_id, run_id }: RunIds): RevertSubject => ({ kind: 'run', company_id, run_id });

function runRevert(run: RunIds, revert: Revert): RunRevert {
  const { requested_at: created_at, requested_by: created_by, completed_at = null, counts, imports } = revert;
  return {
    ...run,
    status: completed_at === null ? 'processing' : 'success',
    dry_run: false,
    created_at,
    created_by,
    completed_at,
    counts: { imports: imports.length, ...counts },
  };
}

/** Stores the request, which closes the gate, and sends the message that starts it. If it cannot be sent now, the watchdog sends it. */
async function request(
  subject: RevertSubject,
  imports: readonly string[],
  requested_by: number,
  { clock, stores, queue, telemetry }: RequestingServices,
): Promise<Revert> {
  const nowMs = clock.nowMs();
  // A run may get further imports after it was reverted; an import is reverted once.
  const earlier = subject.kind === 'run' ? await stores.reverts.read(subject) : undefined;
  const revert = await stores.reverts.request({
    subject,
    requested_at: instant(nowMs),
    requested_by,
    imports,
    phase: 'waiting',
    at: 0,
    counts: NO_COUNTS,
    resends: 0,
    due_at: instant(nowMs + STEP_DUE_MS),
    version: (earlier?.version ?? -1) + 1,
  });
  await queue
    .send([{ kind: 'revert', subject, hops: 0 }])
    .catch((error: unknown) => telemetry.error('A revert could not be sent. The watchdog sends it.', error));
  return revert;
}

import { shownCreator, type StoredCreator } from '../auth/creator.ts';
import { STEP_DUE_MS } from '../jobs/steps.ts';
import { NO_COUNTS, revertCounts, withImport } from './report.ts';
import type { Revert, RevertReport, SizeAfter } from './store.ts';
import { these } from './together.ts';
import { previewRevert, type PreviewStores, type RevertServices } from './work.ts';
import { hasExpired } from '../imports/results.ts';
import type { ImportStores } from '../imports/services.ts';
import { instant, latestOf } from '../records/instants.ts';
import { batchesOf, inParallel } from '../runtime/batching.ts';
import type { Clock } from '../runtime/system.ts';
import { RETENTION_DAYS } from '../shared/limits.ts';
import type {
  ImportItem,
  ImportRevert,
  ImportSummary,
  RunIds,
  RunRevert,
  RevertSubject,
  Problem,
} from '../shared/model.ts';

export type PreviewServices = Pick<RevertServices, 'clock'> & { readonly stores: PreviewStores };
type RequestingServices = PreviewServices & Pick<RevertServices, 'queue' | 'telemetry'>;

type Refusal = Problem<'import_not_terminal' | 'report_expired'>;

/** A revert needs an import that has ended, and its results record by record. `undefined` if the import can be reverted. */
export function refusalOf(item: ImportItem, nowMs: number): Refusal | undefined {
  if (item.status === 'processing') {
    const message = 'This import is still processing. Wait until it has ended, or cancel it, then revert it.';
    return { error_code: 'import_not_terminal', message };
  }
  if (!hasExpired(item, nowMs)) return undefined;
  const message = item.dry_run
    ? `The report of dry run ${item.import_id} has expired. It imported nothing, so there is nothing to revert.`
    : `The results of import ${item.import_id} have expired, so it cannot be reverted. What it imported stays.`;
  return { error_code: 'report_expired', message };
}

/** The same for imports of a run. Lists do not hold when an import expires; none expires sooner than the shortest retention. */
export async function refusalOfRun(
  imports: readonly ImportSummary[],
  { stores, clock }: { readonly stores: Pick<ImportStores, 'imports'>; readonly clock: Clock },
): Promise<Refusal | undefined> {
  const processing = imports.find(({ status }) => status === 'processing');
  if (processing !== undefined) {
    const message = `Import ${processing.import_id} of this run is still processing. Wait until it has ended, or cancel the run, then revert it.`;
    return { error_code: 'import_not_terminal', message };
  }
  const nowMs = clock.nowMs();
  const old = imports.filter(({ created_at }) => nowMs - Date.parse(created_at) >= SHORTEST_RETENTION_MS);
  for (const some of batchesOf(old, IMPORTS_READ)) {
    const ids = some.map(({ import_id }) => import_id);
    const items = await stores.imports.readAll(some[0]?.company_id ?? '', ids);
    const refusal = items.map((item) => refusalOf(item, nowMs)).find((each) => each !== undefined);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The real imports of a run that are not reverted; `undefined` if the company has no such run. */
export async function leftOfRun(
  run: RunIds,
  { imports }: Pick<ImportStores, 'imports'>,
): Promise<ImportSummary[] | undefined> {
  const all = await imports.importsOfRun(run);
  return all.length === 0 ? undefined : all.filter(({ reverted_at }) => reverted_at === null);
}

const IMPORTS_READ = 500;
const SHORTEST_RETENTION_MS = RETENTION_DAYS.min * 24 * 60 * 60 * 1000;

/** The report that a revert of this import would give now. A dry run wrote nothing, so there is nothing to revert. */
export async function previewImportRevert(
  item: ImportItem,
  by: StoredCreator,
  { clock, stores }: PreviewServices,
): Promise<ImportRevert> {
  const { records } = await previewRevert(item, these([item.import_id]), stores);
  const now = instant(clock.nowMs());
  return importRevert(item, { status: 'validated', created_at: now, ...shownCreator(by), completed_at: now }, records);
}

/** Requests the revert of an import that has ended. A repeat finds the same. */
export async function requestImportRevert(
  item: ImportItem,
  by: StoredCreator,
  services: RequestingServices,
): Promise<ImportRevert> {
  const { company_id, import_id } = item;
  const revert = await request({ kind: 'import', company_id, import_id }, [item], by, services);
  const requested = { created_at: revert.requested_at, ...shownCreator(revert.requested_by) };
  return importRevert(item, { status: 'processing', ...requested, completed_at: null }, []);
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
  const requested = { created_at: revert.requested_at, ...shownCreator(revert.requested_by) };
  const status = report === undefined ? 'processing' : 'success';
  return importRevert(item, { status, ...requested, completed_at: item.reverted_at }, report?.records ?? []);
}

/** A dry run is `validated`. */
function importRevert(
  { company_id, import_id, run_id, total }: ImportItem,
  requested: Pick<ImportRevert, 'status' | 'created_at' | 'created_by' | 'created_by_client' | 'completed_at'>,
  records: RevertReport['records'],
): ImportRevert {
  const counts = { ...revertCounts(records), total };
  return { import_id, company_id, run_id, dry_run: requested.status === 'validated', ...requested, counts, records };
}

/** The dry run of a revert of up to 100 imports, within one invocation. It stores nothing. */
export async function previewRunRevert(
  run: RunIds,
  imports: readonly ImportSummary[],
  by: StoredCreator,
  { clock, stores }: PreviewServices,
): Promise<RunRevert> {
  const now = instant(clock.nowMs());
  const ids = imports.map(({ import_id }) => import_id);
  const items = await stores.imports.readAll(run.company_id, ids);
  const reports = await inParallel(items, IMPORTS_AT_ONCE, (item) => previewRevert(item, these(ids), stores));
  const counts = reports.reduce((sum, { records }) => withImport(sum, records), NO_COUNTS);
  const requested = { created_at: now, ...shownCreator(by), completed_at: now };
  return { ...run, status: 'validated', dry_run: true, ...requested, counts };
}

const IMPORTS_AT_ONCE = 4;

/** A revert of a run, or its dry run, which is worked off in steps. */
type RunSubject = RunIds & { readonly kind: 'run' | 'preview' };

/** Requests the revert of a run, or a dry run of it. A repeat finds the first request, which then covers this one. */
export async function requestRunRevert(
  run: RunSubject,
  left: readonly ImportSummary[],
  by: StoredCreator,
  services: RequestingServices,
): Promise<RunRevert> {
  const sizeAfter: SizeAfter = (covered) => {
    const asked = left.filter(({ created_at }) => created_at > covered);
    return { imports: asked.length, total: asked.reduce((sum, { counts }) => sum + counts.total, 0) };
  };
  return runRevert(run, await request(run, left, by, services, sizeAfter));
}

/** The revert of a run, or its dry run, as it is now; `undefined` if none was requested. */
export async function readRunRevert(run: RunSubject, { stores }: PreviewServices): Promise<RunRevert | undefined> {
  const revert = await stores.reverts.read(run);
  return revert && runRevert(run, revert);
}

/** The revert of a run as its operations return it. While it runs, its counts grow. */
export function runRevert({ company_id, run_id, kind }: RunSubject, revert: Revert): RunRevert {
  const { requested_at: created_at, requested_by: by, completed_at = null, asked } = revert;
  const counts = completed_at === null ? { ...revert.counts, ...asked } : revert.counts;
  const dry_run = kind === 'preview';
  const ended = dry_run ? 'validated' : 'success';
  const status = completed_at === null ? 'processing' : ended;
  return { run_id, company_id, status, dry_run, created_at, ...shownCreator(by), completed_at, counts };
}

/** Stores the request, which closes the gate, and sends the message that starts it. If it cannot be sent now, the watchdog sends it. */
async function request(
  subject: RevertSubject,
  left: readonly Pick<ImportSummary, 'created_at' | 'completed_at'>[],
  by: StoredCreator,
  { clock, stores, queue, telemetry }: RequestingServices,
  sizeAfter?: SizeAfter,
): Promise<Revert> {
  const nowMs = clock.nowMs();
  const requested_at = instant(nowMs);
  // The clocks of the functions that accepted and ended them may be ahead.
  const accepted_by = latestOf([requested_at, ...left.map(({ created_at }) => created_at)]);
  const ended_by = latestOf([requested_at, ...left.map(({ completed_at }) => completed_at ?? '')]);
  const request = {
    subject,
    requested_at,
    requested_by: by,
    accepted_by,
    ended_by,
    covers: accepted_by,
    phase: subject.kind === 'preview' ? 'previewing' : 'waiting',
    counts: NO_COUNTS,
    ...(sizeAfter && { asked: sizeAfter('') }),
    resends: 0,
    due_at: instant(nowMs + STEP_DUE_MS),
    version: 0,
  } as const;
  const revert = await stores.reverts.request(request, sizeAfter);
  await queue
    .send([{ kind: 'revert', subject, hops: 0 }])
    .catch((error: unknown) => telemetry.error('A revert could not be sent. The watchdog sends it.', error));
  return revert;
}

import type { CourseMemory } from '../catalog/course-memory.ts';
import { isClosed } from '../jobs/gate.ts';
import type { ChunkWork } from '../jobs/work.ts';
import { claimOf } from './claims.ts';
import { dueAfterChunk, reportSettled, settleIfComplete } from './lifecycle.ts';
import { planChunk, writesOf } from './plan-chunk.ts';
import type { ImportServices, ImportStores } from './services.ts';
import { IMPORT_CANCELLED, summarise } from '../records/result.ts';
import { changedSince, planIn, withChanged } from '../records/expected.ts';
import { rejectedChunk, type StagedChunk } from '../records/staged.ts';
import { recordHash } from '../runtime/content-hash.ts';
import type { Clock } from '../runtime/system.ts';
import type { Fields, Telemetry } from '../runtime/telemetry.ts';
import type { ChunkSummary, Conflict, ImportItem, Plan, PlannedRecord, RecordErrorCode } from '../shared/model.ts';

interface ProcessingServices extends Pick<ImportServices, 'clock' | 'stores' | 'telemetry' | 'events'> {
  readonly memory: CourseMemory;
}

export interface ProcessedChunk {
  /** `skipped`: the import or chunk has ended. `postponed`: the gate is closed; the message comes again later. */
  readonly outcome: 'processed' | 'skipped' | 'postponed';
  readonly summary?: ChunkSummary;
  readonly plan?: Plan;
  /** The import, if this call ended it. */
  readonly settled?: ImportItem;
}

/** The message arrived before its import or payload could be read. It is not acknowledged, so the queue delivers it again. */
class ChunkNotReady extends Error {
  override readonly name = 'ChunkNotReady';
}

/**
 * Carries out one chunk: decide once, claim ids, write, set the summary, settle. Every step may be repeated, interrupted or run
 * twice at once: every delivery applies the stored plan, and claims never move.
 */
export async function processChunk(message: ChunkWork, services: ProcessingServices): Promise<ProcessedChunk> {
  const { imports } = services.stores;
  const known = await imports.readChunk(message);
  if (known.import === undefined) throw new ChunkNotReady('The import of this chunk does not exist yet.');
  if (known.import.status !== 'processing') return { outcome: 'skipped' };
  if (known.import.summaries[message.chunk] !== undefined)
    return { outcome: 'skipped', ...(await settled(known.import, services)) };
  if (known.import.closing_at !== undefined) return { outcome: 'skipped' };

  const plan = await planUnlessClosed(message, { ...known, import: known.import }, services);
  if (plan === undefined) return { outcome: 'postponed' };
  const conflict = await applyPlan(message, plan, known.gate.epoch, services);
  await services.stores.archive.putArchived(known.import, message.chunk, plan);
  const summary = summarise(plan, conflict);
  const dueAt = dueAfterChunk(known.import.due_at, services.clock.nowMs());
  const item = await imports.setSummary(message, message.chunk, summary, dueAt);
  return { outcome: 'processed', summary, plan, ...(item && (await settled(item, services))) };
}

type KnownChunk = Awaited<ReturnType<ImportStores['imports']['readChunk']>> & { readonly import: ImportItem };

/** While the gate is closed only a plan without effects is carried out: that of a chunk that was cancelled. */
async function planUnlessClosed(
  message: ChunkWork,
  known: KnownChunk,
  services: ProcessingServices,
): Promise<Plan | undefined> {
  const mustWait = isClosed(known.gate);
  if (mustWait && known.plan === undefined && known.import.cancelled_at === null) return undefined;
  const plan = known.plan ?? (await decideOnce(message, known, services));
  return mustWait && plan.planned.some(hasEffect) ? undefined : plan;
}

const hasEffect = ({ write, result }: PlannedRecord): boolean => write !== undefined || result.archived === true;

async function decideOnce(
  message: ChunkWork,
  { import: item, payload, gate }: KnownChunk,
  services: ProcessingServices,
): Promise<Plan> {
  if (payload === undefined) throw new ChunkNotReady('The payload of this chunk does not exist.');
  const { company_id, import_id } = message;
  const { imports } = services.stores;
  if (item.cancelled_at !== null) return imports.putPlan(item, message.chunk, rejectedChunk(payload, IMPORT_CANCELLED));
  const { created_at: imported_at, replace = false, archive = false } = item;
  const { epoch, replacing } = gate;
  const mayBeOvertaken =
    replace || (replacing !== undefined && (await imports.isReplacing(company_id, replacing, services.clock.nowMs())));
  const scope = { company_id, import_id, imported_at, replace, archive, mayBeOvertaken, dry_run: false };
  const plan =
    item.planned_by === undefined
      ? await planChunk(payload, scope, services)
      : await planAsPlanned(item, { ...message, payload }, scope, services);
  return imports.putPlan(item, message.chunk, epoch === 0 ? plan : { ...plan, epoch });
}

/** Decides as ever, then rejects what would write something else than its plan says (§4.11). */
async function planAsPlanned(
  { company_id, import_id, planned_by = '' }: ImportItem,
  { payload, chunk }: { readonly payload: StagedChunk; readonly chunk: number },
  scope: Parameters<typeof planChunk>[1],
  services: ProcessingServices,
): Promise<Plan> {
  const now = await planChunk(payload, { ...scope, plan_id: planIn(import_id) }, services);
  const changed = changedSince(now, payload.expected ?? [], recordHash);
  const { imports } = services.stores;
  const dryRun = changed.length === 0 ? undefined : await imports.read({ company_id, import_id: planned_by });
  const [before] = dryRun === undefined ? [] : await imports.readPlans(dryRun, [chunk]);
  return withChanged(now, changed, before);
}

/**
 * Claims come first: a contribution is written only for an id that is bound to its pair. After a plan of an earlier epoch each
 * record claims and writes for itself, because a revert may have removed what the plan relies on. Returns the records whose id is
 * bound to another pair.
 */
async function applyPlan(
  { company_id, import_id, chunk }: ChunkWork,
  plan: Plan,
  epoch: number,
  { stores }: ProcessingServices,
): Promise<Conflict[]> {
  const isStale = (plan.epoch ?? 0) !== epoch;
  const reliances = isStale ? new Map<number, string>() : reliancesOf(plan);
  const writes = writesOf([plan]).filter(({ contribution }) => !reliances.has(contribution.index));
  const claims = writes.filter(({ claim }) => claim || isStale).map(claimOf);
  const boundElsewhere = await stores.progress.claim(company_id, claims);
  const lost = ({ contribution }: (typeof writes)[number]) => boundElsewhere.has(contribution.external_record_id);
  const claimed = writes.filter((write) => !lost(write));
  await stores.progress.contribute(company_id, claimed);
  await stores.imports.putReliances(company_id, { import_id, chunk }, [...reliances.values()]);
  return writes.flatMap(({ contribution: { index, external_record_id } }): Conflict[] => {
    const holder = boundElsewhere.get(external_record_id);
    return holder === undefined ? [] : [[index, holder.user_id, holder.platform_course_id]];
  });
}

/** The import that each `unchanged` record relies on, by the index of the record. */
function reliancesOf({ planned }: Plan): ReadonlyMap<number, string> {
  const relying = planned.filter(({ relies_on }) => relies_on !== undefined);
  return new Map(relying.map(({ result, relies_on = '' }) => [result.index, relies_on]));
}

async function settled(item: ImportItem, services: ProcessingServices): Promise<Pick<ProcessedChunk, 'settled'>> {
  const outcome = await settleIfComplete(item, services);
  return outcome.settled ? { settled: outcome.item } : {};
}

interface ChunkReport {
  readonly message: ChunkWork;
  readonly processed: ProcessedChunk;
  readonly receives: number;
  readonly startedAtMs: number;
  readonly invocation: Fields;
}

/** Logs one line about a chunk, and counts its records by code. */
export function reportChunk(
  services: { readonly clock: Clock; readonly telemetry: Telemetry },
  { message, processed, receives, startedAtMs, invocation }: ChunkReport,
): void {
  const { telemetry, clock } = services;
  const { summary, plan, settled } = processed;
  if (receives > 1) telemetry.count('ChunksRetried');
  if (summary && plan) countRecords(telemetry, plan, summary);
  if (settled) reportSettled(telemetry, settled);
  telemetry.info('chunk', {
    ...invocation,
    company_id: message.company_id,
    import_id: message.import_id,
    chunk: message.chunk,
    // Normal values are omitted; the counts are in the embedded metrics.
    outcome: processed.outcome === 'processed' ? undefined : processed.outcome,
    receives: receives === 1 ? undefined : receives,
    failed: summary?.failed,
    duration_ms: clock.nowMs() - startedAtMs,
  });
}

function countRecords(telemetry: Telemetry, plan: Plan, summary: ChunkSummary): void {
  telemetry.count('RecordsApplied', summary.succeeded);
  const rejections = rejectionsOf(plan, summary);
  if (rejections.length > 0) telemetry.count('RecordsRejected', rejections.length);
  for (const code of rejections) telemetry.count(code);
  for (const { result } of plan.planned) {
    for (const { warning_code } of result.warnings) telemetry.count(warning_code);
  }
}

function rejectionsOf(plan: Plan, { conflict, failed_indexes }: ChunkSummary): RecordErrorCode[] {
  return [
    ...plan.planned.flatMap(({ result }) => result.errors.slice(0, 1)),
    ...conflict.map(() => ({ error_code: 'duplicate_external_record_id' as const })),
    ...failed_indexes.map(() => ({ error_code: 'processing_failed' as const })),
  ].map(({ error_code }) => error_code);
}

import type { ChunkMessage } from './chunk-queue.ts';
import type { StagedChunk } from './chunk-store.ts';
import { dueAfterChunk, settleIfComplete } from './lifecycle.ts';
import { planChunk } from './plan-chunk.ts';
import type { ImportServices } from './services.ts';
import { summarise } from '../records/result.ts';
import type { ChunkSummary, ImportItem, Plan } from '../shared/model.ts';

type ProcessingServices = Pick<ImportServices, 'clock' | 'stores' | 'telemetry'>;

export interface ProcessedChunk {
  /** `skipped`: there was nothing to do, because the import has ended or is being abandoned, or this chunk was done before. */
  readonly outcome: 'processed' | 'skipped';
  readonly summary?: ChunkSummary;
  readonly plan?: Plan;
  /** Set where this call ended the import. */
  readonly settled?: ImportItem;
}

/** The message came before its import or payload could be seen; it is not acknowledged and comes again. */
class ChunkNotReady extends Error {
  override readonly name = 'ChunkNotReady';
}

/**
 * Carries out one chunk of an import: decide once, claim identities, write contributions, set the summary, settle.
 * Every step may be repeated, interrupted or run twice at once: the stored plan is what every delivery applies,
 * claims never move, a contribution is its own attribute, and the summary counts only once.
 */
export async function processChunk(message: ChunkMessage, services: ProcessingServices): Promise<ProcessedChunk> {
  const { imports } = services.stores;
  const known = await imports.readChunk(message);
  if (known.import === undefined) throw new ChunkNotReady('The import of this chunk does not exist yet.');
  if (known.import.status !== 'processing') return { outcome: 'skipped' };
  if (known.import.summaries[message.chunk] !== undefined) {
    return { outcome: 'skipped', ...(await settled(known.import, services)) };
  }
  if (known.import.closing_at !== undefined) return { outcome: 'skipped' };

  const plan = known.plan ?? (await decideOnce(message, known.import, known.payload, services));
  const conflict = await applyPlan(message.company_id, plan, services);
  const summary = summarise(plan, conflict);
  const dueAt = dueAfterChunk(known.import.due_at, services.clock.nowMs());
  const item = await imports.setSummary(message.company_id, message.import_id, message.chunk, summary, dueAt);
  return { outcome: 'processed', summary, plan, ...(item && (await settled(item, services))) };
}

async function decideOnce(
  message: ChunkMessage,
  item: ImportItem,
  payload: StagedChunk | undefined,
  services: ProcessingServices,
): Promise<Plan> {
  if (payload === undefined) throw new ChunkNotReady('The payload of this chunk does not exist.');
  const { company_id, import_id } = message;
  const scope = { company_id, import_id, imported_at: item.created_at, dry_run: false };
  const plan = await planChunk(payload, scope, services);
  return services.stores.imports.putPlan(company_id, import_id, message.chunk, plan);
}

/**
 * Claims come first: a contribution is written only for a record whose id is bound to its pair.
 * Returns the indexes that lost their claim to another pair.
 */
async function applyPlan(company_id: string, plan: Plan, { stores }: ProcessingServices): Promise<number[]> {
  const writes = plan.planned.flatMap(({ write }) => (write === undefined ? [] : [write]));
  const claims = writes
    .filter(({ claim }) => claim)
    .map(({ user_id, platform_course_id, contribution }) => ({
      user_id,
      platform_course_id,
      external_record_id: contribution.external_record_id,
    }));
  const boundElsewhere = await stores.progress.claim(company_id, claims);
  const lost = ({ contribution }: (typeof writes)[number]) => boundElsewhere.has(contribution.external_record_id);
  const claimed = writes.filter((write) => !lost(write));
  await stores.progress.contribute(company_id, claimed);
  return writes.filter(lost).map(({ contribution }) => contribution.index);
}

async function settled(item: ImportItem, services: ProcessingServices): Promise<Pick<ProcessedChunk, 'settled'>> {
  const outcome = await settleIfComplete(item, services);
  return outcome.settled ? { settled: outcome.item } : {};
}

import type { CourseMemory } from '../catalog/course-memory.ts';
import type { ChunkMessage } from '../jobs/queue.ts';
import { dueAfterChunk, settleIfComplete } from './lifecycle.ts';
import { planChunk } from './plan-chunk.ts';
import type { ImportServices, ImportStores } from './services.ts';
import { rejectedStaged } from '../records/person.ts';
import { IMPORT_CANCELLED, summarise } from '../records/result.ts';
import type { ChunkSummary, Conflict, ImportItem, Plan } from '../shared/model.ts';

export interface ProcessingServices extends Pick<ImportServices, 'clock' | 'stores' | 'telemetry' | 'events'> {
  readonly memory: CourseMemory;
}

export interface ProcessedChunk {
  /**
   * `skipped`: there was nothing to do, because the import has ended or is being abandoned, or this chunk was done before.
   * `postponed`: a revert holds the gate; the message is sent again when it opens.
   */
  readonly outcome: 'processed' | 'skipped' | 'postponed';
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

  const plan = await planUnlessClosed(message, { ...known, import: known.import }, services);
  if (plan === undefined) return { outcome: 'postponed' };
  const conflict = await applyPlan(message, plan, known.gate.epoch, services);
  const summary = summarise(plan, conflict);
  const dueAt = dueAfterChunk(known.import.due_at, services.clock.nowMs());
  const item = await imports.setSummary(message.company_id, message.import_id, message.chunk, summary, dueAt);
  return { outcome: 'processed', summary, plan, ...(item && (await settled(item, services))) };
}

type KnownChunk = Awaited<ReturnType<ImportStores['imports']['readChunk']>> & { readonly import: ImportItem };

/** While a revert holds the gate only a plan without effects is carried out: that of a chunk that was cancelled. */
async function planUnlessClosed(
  message: ChunkMessage,
  known: KnownChunk,
  services: ProcessingServices,
): Promise<Plan | undefined> {
  const isClosed = known.gate.by !== undefined;
  if (isClosed && known.plan === undefined && known.import.cancelled_at === null) return undefined;
  const plan = known.plan ?? (await decideOnce(message, known, services));
  return isClosed && plan.planned.some(({ write }) => write !== undefined) ? undefined : plan;
}

async function decideOnce(
  message: ChunkMessage,
  { import: item, payload, gate }: KnownChunk,
  services: ProcessingServices,
): Promise<Plan> {
  if (payload === undefined) throw new ChunkNotReady('The payload of this chunk does not exist.');
  const { company_id, import_id } = message;
  const { imports } = services.stores;
  if (item.cancelled_at !== null) {
    return imports.putPlan(item, message.chunk, rejectedStaged(payload, IMPORT_CANCELLED));
  }
  const scope = { company_id, import_id, imported_at: item.created_at, dry_run: false };
  const plan = await planChunk(payload, scope, services);
  const { epoch } = gate;
  return imports.putPlan(item, message.chunk, epoch === 0 ? plan : { ...plan, epoch });
}

/**
 * Claims come first: a contribution is written only for a record whose id is bound to its pair. A record that relies on
 * another import notes that beside it. Since a plan of an earlier epoch was made, a revert may have removed what it relies on
 * and freed the ids that it took for bound: then each record claims and writes for itself. Returns the records that lost
 * their claim to another pair.
 */
async function applyPlan(
  { company_id, import_id, chunk }: ChunkMessage,
  plan: Plan,
  epoch: number,
  { stores }: ProcessingServices,
): Promise<Conflict[]> {
  const isStale = (plan.epoch ?? 0) !== epoch;
  const writes = plan.planned.flatMap(({ write, relies_on }) =>
    write === undefined || (relies_on !== undefined && !isStale) ? [] : [write],
  );
  const claims = writes
    .filter(({ claim }) => claim || isStale)
    .map(({ user_id, platform_course_id, contribution }) => ({
      user_id,
      platform_course_id,
      external_record_id: contribution.external_record_id,
    }));
  const boundElsewhere = await stores.progress.claim(company_id, claims);
  const lost = ({ contribution }: (typeof writes)[number]) => boundElsewhere.has(contribution.external_record_id);
  const claimed = writes.filter((write) => !lost(write));
  await stores.progress.contribute(company_id, claimed);
  const reliedOn = plan.planned.flatMap(({ relies_on }) => (relies_on === undefined || isStale ? [] : [relies_on]));
  await stores.reverts.putReliances(company_id, { import_id, chunk }, reliedOn);
  return writes.flatMap(({ contribution: { index, external_record_id } }): Conflict[] => {
    const holder = boundElsewhere.get(external_record_id);
    return holder === undefined ? [] : [[index, holder.user_id, holder.platform_course_id]];
  });
}

async function settled(item: ImportItem, services: ProcessingServices): Promise<Pick<ProcessedChunk, 'settled'>> {
  const outcome = await settleIfComplete(item, services);
  return outcome.settled ? { settled: outcome.item } : {};
}

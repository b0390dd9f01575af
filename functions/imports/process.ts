import type { ChunkMessage } from './chunk-queue.ts';
import type { StagedChunk } from './import-store.ts';
import { dueAfterChunk, settleIfComplete } from './lifecycle.ts';
import { planChunk } from './plan-chunk.ts';
import type { PlanningServices } from './plan-chunk.ts';
import type { ProgressStore } from './progress-store.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { summarise } from '../records/result.ts';
import type { Clock, Deadline } from '../runtime/system.ts';
import type { ImportStores } from './references.ts';
import type { ChunkSummary, ImportItem, Plan } from '../shared/model.ts';

export interface ProcessingServices extends PlanningServices {
  readonly clock: Clock;
  readonly stores: ImportStores;
}

export interface ProcessedChunk {
  /** `closed`: the import was already terminal, closing, or this chunk was done before; nothing was applied. */
  readonly outcome: 'processed' | 'closed';
  readonly summary?: ChunkSummary;
  readonly plan?: Plan;
  /** Set where this call ended the import. */
  readonly settled?: ImportItem;
}

/** The message came before its import or payload could be seen; it is not acknowledged and comes again. */
export class ChunkNotReady extends Error {
  override readonly name = 'ChunkNotReady';
}

/**
 * Carries out one chunk of an import: decide once, claim identities, write contributions, set the summary, settle.
 * Every step may be repeated, interrupted or run twice at once: the stored plan is what every delivery applies,
 * claims never move, a contribution is its own attribute, and the summary counts only once.
 */
export async function processChunk(
  message: ChunkMessage,
  deadline: Deadline,
  services: ProcessingServices,
): Promise<ProcessedChunk> {
  const { imports, progress } = services.stores;
  const known = await imports.readChunk(message);
  if (known.import === undefined) throw new ChunkNotReady('the import of this chunk is not there yet');
  if (known.import.status !== 'processing') return { outcome: 'closed' };
  if (known.import.summaries[message.chunk] !== undefined) return settle(known.import, services);
  if (known.import.closing_at !== undefined) return { outcome: 'closed' };

  const plan = known.plan ?? (await decideOnce(message, known.import, known.payload, services));
  const { conflict, full } = await applyPlan(message.company_id, plan, deadline, progress);
  const summary = summarise(
    plan.planned.map(({ result }) => result),
    conflict,
    full,
  );
  const dueAt = dueAfterChunk(known.import.due_at, services.clock.nowMs());
  const item = await imports.setSummary(message.company_id, message.import_id, message.chunk, summary, dueAt);
  const { settled } = item === undefined ? {} : await settle(item, services);
  return { outcome: 'processed', summary, plan, ...(settled === undefined ? {} : { settled }) };
}

async function decideOnce(
  message: ChunkMessage,
  item: ImportItem,
  payload: StagedChunk | undefined,
  services: ProcessingServices,
) {
  if (payload === undefined) throw new ChunkNotReady('the payload of this chunk is not there');
  const { company_id, import_id } = message;
  const plan = await planChunk(
    payload,
    { company_id, import_id, imported_at: item.created_at, dry_run: false },
    services,
  );
  return services.stores.imports.putPlan(company_id, import_id, message.chunk, plan);
}

/**
 * Claims come first: a contribution is written only for a record whose id is bound to its pair.
 * Answers the indexes that lost their claim to another pair, and those whose learner-course item is full.
 */
async function applyPlan(company_id: string, plan: Plan, deadline: Deadline, progress: ProgressStore) {
  const writes = plan.planned.flatMap(({ write }) => (write === undefined ? [] : [write]));
  const claims = writes
    .filter(({ claim }) => claim)
    .map(({ user_id, platform_course_id, contribution }) => ({
      user_id,
      platform_course_id,
      external_record_id: contribution.external_record_id,
    }));
  const heldByOthers = await progress.claim(company_id, claims, deadline);
  const lost = ({ contribution }: (typeof writes)[number]) => heldByOthers.has(contribution.external_record_id);
  const held = writes.filter((write) => !lost(write));
  const fullPairs = new Set((await progress.contribute(company_id, held, deadline)).map(learnerCourseId));
  return {
    conflict: writes.filter(lost).map(({ contribution }) => contribution.index),
    full: held.filter((write) => fullPairs.has(learnerCourseId(write))).map(({ contribution }) => contribution.index),
  };
}

async function settle(item: ImportItem, services: ProcessingServices): Promise<ProcessedChunk> {
  const { item: standing, settled } = await settleIfComplete(item, {
    clock: services.clock,
    imports: services.stores.imports,
  });
  return { outcome: 'closed', ...(settled ? { settled: standing } : {}) };
}

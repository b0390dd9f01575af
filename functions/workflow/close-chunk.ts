import { pairKey } from '../domain/join.ts';
import type { ImportItem, Plan } from '../domain/model.ts';
import { planProcessingFailed } from '../domain/plan-record.ts';
import { summarise } from '../domain/record-result.ts';
import { instant } from './due-times.ts';
import type { Clock, Stores } from './ports.ts';

/**
 * Gives up on a chunk that nothing could process (rule 13): its records end as `processing_failed`, but for those
 * that the plan rejects or leaves unchanged, and those whose contribution did arrive. Answers the import as it then stands.
 */
export async function closeChunk(
  item: ImportItem,
  chunk: number,
  services: { readonly clock: Clock; readonly stores: Stores },
): Promise<ImportItem | undefined> {
  const { imports } = services.stores;
  const [planned] = await imports.readPlans(item, [chunk]);
  const plan =
    planned ??
    (await imports.putPlan(item.company_id, item.import_id, chunk, await failedPlan(item, chunk, services.stores)));
  const failed = await unwritten(item, plan, services.stores);
  const summary = summarise(
    plan.planned.map(({ result }) => result),
    [],
    failed,
  );
  return imports.setSummary(item.company_id, item.import_id, chunk, summary, instant(services.clock.nowMs()));
}

async function failedPlan(item: ImportItem, chunk: number, { imports }: Stores): Promise<Plan> {
  const { first_index, size, payload_hash } = item.chunks[chunk] ?? { first_index: 0, size: 0, payload_hash: '' };
  const [payload] = await imports.readPayloads(item.company_id, item.import_id, [payload_hash]);
  const records = payload?.records ?? Array.from({ length: size }, () => null);
  return { records, planned: records.map((raw, offset) => planProcessingFailed(raw, first_index + offset)) };
}

async function unwritten(item: ImportItem, plan: Plan, { progress }: Stores): Promise<number[]> {
  const writes = plan.planned.flatMap(({ write }) => (write === undefined ? [] : [write]));
  const stored = await progress.learnerCourses(item.company_id, writes);
  return writes
    .filter((write) => {
      const contributions = stored.get(pairKey(write))?.contributions ?? [];
      return !contributions.some(
        ({ import_id, index }) => import_id === item.import_id && index === write.contribution.index,
      );
    })
    .map(({ contribution }) => contribution.index);
}

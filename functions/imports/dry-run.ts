/** A dry run (§4.2 operation 7): it plans as the real run does, and writes its report and nothing else. */
import type { PreparedChunk } from './batch.ts';
import { planChunk } from './plan-chunk.ts';
import type { ImportServices, PlanningStores } from './services.ts';
import { summarise } from '../records/result.ts';
import type { StagedChunk } from '../records/staged.ts';
import type { ChunkSummary, Instant, Plan, RecordResult } from '../shared/model.ts';

interface DryRun {
  readonly company_id: string;
  readonly import_id: string;
  /** The report is stored under it: of two that race, the one whose import item is committed counts. */
  readonly attempt_id: string;
  readonly imported_at: Instant;
  readonly replace: boolean;
}

interface DryRunReport {
  readonly results: readonly RecordResult[];
  readonly summaries: Readonly<Record<number, ChunkSummary>>;
}

/**
 * Plans every record and stores the report under this attempt, chunk by chunk, as an item can hold it.
 *
 * @param admitted must resolve before anything is stored; the plan is made meanwhile
 */
export async function storeDryRun(
  chunks: readonly PreparedChunk[],
  { attempt_id, ...scope }: DryRun,
  { stores, telemetry }: Pick<ImportServices<'imports'>, 'stores' | 'telemetry'> & { readonly stores: PlanningStores },
  admitted: Promise<void>,
): Promise<DryRunReport> {
  const planned = planChunk(wholeBatch(chunks), { ...scope, dry_run: true }, { stores, telemetry });
  const [plan] = await Promise.all([planned, admitted]);
  const plans = chunks.map(({ chunk }) => partOf(plan, chunk));
  await stores.imports.putReport(scope.company_id, scope.import_id, attempt_id, plans);
  return {
    results: plan.planned.map(({ result }) => result),
    summaries: Object.fromEntries(plans.map((part, chunk) => [chunk, summarise(part)])),
  };
}

/** All chunks as one: references that many records share are read once. */
function wholeBatch(chunks: readonly PreparedChunk[]): StagedChunk {
  const all = chunks.map(({ chunk }) => chunk);
  return {
    first_index: 0,
    records: all.flatMap(({ records }) => records),
    duplicates: all.flatMap(({ duplicates }) => duplicates),
    oversized: all.flatMap(({ oversized }) => oversized),
    ignored: Object.assign({}, ...all.map(({ ignored }) => ignored)),
  };
}

function partOf({ records, planned }: Plan, { first_index, records: { length } }: StagedChunk): Plan {
  const end = first_index + length;
  return { records: records.slice(first_index, end), planned: planned.slice(first_index, end) };
}

import type { ChunkSummary, ImportItem, Plan } from '../domain/model.ts';
import type { ChunkMessage } from '../workflow/ports.ts';
import type { ProcessedChunk } from '../workflow/process-chunk.ts';
import { METRIC } from './metric-names.ts';
import type { Services } from './services.ts';
import type { Fields } from './telemetry.ts';

interface ChunkReport {
  readonly message: ChunkMessage;
  readonly processed: ProcessedChunk;
  readonly receives: number;
  readonly startedAtMs: number;
  /** What the invocation says of itself. */
  readonly invocation: Fields;
}

/** One log line and the metrics of one delivery: what it applied and rejected, and whether it ended the import. */
export function reportChunk(
  services: Pick<Services, 'clock' | 'telemetry'>,
  { message, processed, receives, startedAtMs, invocation }: ChunkReport,
): void {
  const { telemetry, clock } = services;
  const { summary, plan, settled } = processed;
  if (receives > 1) telemetry.count(METRIC.chunksRetried);
  const rejected = summary && plan ? countRecords(telemetry, plan, summary) : {};
  if (settled) reportSettled(telemetry, settled);
  telemetry.info('chunk', {
    ...invocation,
    company_id: message.company_id,
    import_id: message.import_id,
    chunk: message.chunk,
    outcome: processed.outcome,
    settled: settled?.status,
    receives,
    succeeded: summary?.succeeded,
    failed: summary?.failed,
    rejected,
    duration_ms: clock.nowMs() - startedAtMs,
  });
}

/** Answers how many records were rejected, by code. */
function countRecords(telemetry: Services['telemetry'], plan: Plan, summary: ChunkSummary): Record<string, number> {
  const rejected = rejectionsOf(plan, summary);
  telemetry.count(METRIC.recordsApplied, summary.succeeded);
  for (const [error_code, times] of Object.entries(rejected))
    telemetry.count(METRIC.recordsRejected, times, { error_code });
  for (const [warning_code, times] of Object.entries(warningsOf(plan)))
    telemetry.count(METRIC.recordsWarned, times, { warning_code });
  return rejected;
}

/** Counts an import that has just ended, by status, and how long it took. */
export function reportSettled(telemetry: Services['telemetry'], item: ImportItem): void {
  telemetry.count(METRIC.importsSettled, 1, { status: item.status });
  telemetry.time(METRIC.timeToTerminal, Date.parse(item.completed_at ?? item.created_at) - Date.parse(item.created_at));
}

/** Rejected records by their first error; what overrides the plan stands under the code that its result shows. */
function rejectionsOf(plan: Plan, { conflict, failed_indexes }: ChunkSummary): Record<string, number> {
  const overridden = new Set([...conflict, ...failed_indexes]);
  const planned = plan.planned.flatMap(({ result: { index, errors } }) =>
    overridden.has(index) ? [] : errors.slice(0, 1),
  );
  return tally([
    ...planned.map(({ error_code }) => error_code),
    ...conflict.map(() => 'duplicate_external_record_id'),
    ...failed_indexes.map(() => 'processing_failed'),
  ]);
}

const warningsOf = (plan: Plan): Record<string, number> =>
  tally(plan.planned.flatMap(({ result }) => result.warnings.map(({ warning_code }) => warning_code)));

function tally(codes: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Object.fromEntries(counts);
}

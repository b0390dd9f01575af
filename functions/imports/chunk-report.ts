import type { ChunkMessage } from '../jobs/queue.ts';
import type { ProcessedChunk } from './process.ts';
import { METRIC } from '../runtime/metric-names.ts';
import type { MetricName } from '../runtime/metric-names.ts';
import type { Fields, Telemetry } from '../runtime/telemetry.ts';
import type { Clock } from '../runtime/system.ts';
import type { RecordErrorCode } from '../shared/codes.ts';
import type { ChunkSummary, ImportItem, Plan } from '../shared/model.ts';

interface ChunkReport {
  readonly message: ChunkMessage;
  readonly processed: ProcessedChunk;
  readonly receives: number;
  readonly startedAtMs: number;
  /** Logged with each chunk of the invocation. */
  readonly invocation: Fields;
}

/** One log line, with the metrics of one delivery: what it applied and rejected, and whether it ended the import. */
export function reportChunk(
  services: { readonly clock: Clock; readonly telemetry: Telemetry },
  { message, processed, receives, startedAtMs, invocation }: ChunkReport,
): void {
  const { telemetry, clock } = services;
  const { summary, plan, settled } = processed;
  if (receives > 1) telemetry.count(METRIC.chunksRetried);
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
  telemetry.count(METRIC.recordsApplied, summary.succeeded);
  for (const code of rejectionsOf(plan, summary)) telemetry.count(code);
  for (const { result } of plan.planned) {
    for (const { warning_code } of result.warnings) telemetry.count(warning_code);
  }
}

const SETTLED: Readonly<Record<ImportItem['status'], MetricName | undefined>> = {
  success: METRIC.importsSucceeded,
  partial_success: METRIC.importsPartlySucceeded,
  error: METRIC.importsFailed,
  validated: undefined,
  processing: undefined,
};

/** Counts an import that has just ended, by status, and how long it took. */
export function reportSettled(telemetry: Telemetry, item: ImportItem): void {
  const metric = SETTLED[item.status];
  if (metric) telemetry.count(metric);
  telemetry.time(METRIC.timeToTerminal, Date.parse(item.completed_at ?? item.created_at) - Date.parse(item.created_at));
}

/** The first error of each record that the plan rejects, and of those that it would have applied and that failed since. */
function rejectionsOf(plan: Plan, { conflict, failed_indexes }: ChunkSummary): RecordErrorCode[] {
  return [
    ...plan.planned.flatMap(({ result }) => result.errors.slice(0, 1)),
    ...conflict.map(() => ({ error_code: 'duplicate_external_record_id' as const })),
    ...failed_indexes.map(() => ({ error_code: 'processing_failed' as const })),
  ].map(({ error_code }) => error_code);
}

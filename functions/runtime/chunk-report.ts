import type { ImportItem, Plan } from '../domain/model.ts';
import type { ChunkMessage } from '../workflow/ports.ts';
import type { ProcessedChunk } from '../workflow/process-chunk.ts';
import { METRIC } from './metric-names.ts';
import type { Services } from './services.ts';

interface ChunkReport {
  readonly message: ChunkMessage;
  readonly processed: ProcessedChunk;
  readonly receives: number;
  readonly startedAtMs: number;
}

/** One log line and the metrics of one delivery: what it applied and rejected, and whether it ended the import. */
export function reportChunk(
  services: Pick<Services, 'clock' | 'telemetry'>,
  { message, processed, receives, startedAtMs }: ChunkReport,
): void {
  const { telemetry, clock } = services;
  const { summary, plan, settled } = processed;
  if (receives > 1) telemetry.count(METRIC.chunksRetried);
  if (summary && plan) {
    telemetry.count(METRIC.recordsApplied, summary.succeeded);
    countRejections(telemetry, plan, summary.conflict.length);
  }
  if (settled) reportSettled(telemetry, settled);
  telemetry.info('chunk', {
    company_id: message.company_id,
    import_id: message.import_id,
    chunk: message.chunk,
    outcome: processed.outcome,
    receives,
    succeeded: summary?.succeeded,
    failed: summary?.failed,
    duration_ms: clock.nowMs() - startedAtMs,
  });
}

/** Counts an import that has just ended, by status, and how long it took. */
export function reportSettled(telemetry: Services['telemetry'], item: ImportItem): void {
  telemetry.count(METRIC.importsSettled, 1, { status: item.status });
  telemetry.time(METRIC.timeToTerminal, Date.parse(item.completed_at ?? item.created_at) - Date.parse(item.created_at));
}

function countRejections(telemetry: Services['telemetry'], plan: Plan, conflicts: number): void {
  const byCode = new Map<string, number>(conflicts > 0 ? [['duplicate_external_record_id', conflicts]] : []);
  for (const { result } of plan.planned) {
    const code = result.errors[0]?.error_code;
    if (code !== undefined) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  }
  for (const [error_code, rejected] of byCode) telemetry.count(METRIC.recordsRejected, rejected, { error_code });
}

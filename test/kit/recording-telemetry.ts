/** Telemetry that keeps its log lines and metrics for assertions. */
import type { Fields, Telemetry } from '../../functions/runtime/telemetry.ts';

export interface RecordingTelemetry extends Telemetry {
  readonly lines: { level: 'info' | 'error'; message: string; error?: unknown; fields: Fields }[];
  readonly samples: { metric: string; value: number }[];
  flushes: number;
}

export function recordingTelemetry(): RecordingTelemetry {
  const telemetry: RecordingTelemetry = {
    lines: [],
    samples: [],
    flushes: 0,
    count: (metric, value = 1) => void telemetry.samples.push({ metric, value }),
    time: (metric, value) => void telemetry.samples.push({ metric, value }),
    info: (message, fields = {}) => void telemetry.lines.push({ level: 'info', message, fields }),
    error: (message, error, fields = {}) => void telemetry.lines.push({ level: 'error', message, error, fields }),
    flush: () => void (telemetry.flushes += 1),
  };
  return telemetry;
}

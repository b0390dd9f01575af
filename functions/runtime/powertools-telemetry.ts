/** Telemetry as structured log lines on standard output, CloudWatch metrics embedded in them. */
import { Logger } from '@aws-lambda-powertools/logger';
import { EmbeddedMetrics } from './embedded-metrics.ts';
import { ENV } from './environment.ts';
import { systemClock } from './live-system.ts';
import { LogFormat } from './log-format.ts';
import { METRIC_DIMENSION } from './metric-names.ts';
import { redact } from './redact.ts';
import type { Telemetry } from './telemetry.ts';
import type { Environment } from './variable.ts';

/** Where the stack names none, as in a test. */
const SERVICE = 'course-progress-migration';

export function powertoolsTelemetry(environment: Environment = process.env): Telemetry {
  const service = environment[ENV.service] ?? SERVICE;
  const logger = new Logger({ serviceName: service, logFormatter: new LogFormat() });
  const metrics = new EmbeddedMetrics();
  return {
    count: (metric, value = 1) => metrics.count(metric, value),
    time: (metric, milliseconds) => metrics.time(metric, milliseconds),
    info: (message, fields = {}) => logger.info(message, { ...fields, ...metrics.take(systemClock.nowMs()) }),
    error: (message, error, fields = {}) => logger.error(message, { ...fields, error: describe(error) }),
    flush() {
      const members = metrics.take(systemClock.nowMs());
      // Straight to the stream: Lambda wraps what goes through the console, and a wrapped line is no metric.
      if (members) process.stdout.write(`${JSON.stringify({ [METRIC_DIMENSION]: service, ...members })}\n`);
    },
  };
}

/** Only the stack's frames: its first line repeats the message, unredacted. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, message: redact(error.message), stack: frames.map((line) => line.trim()) };
}

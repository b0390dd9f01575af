/** Telemetry as structured log lines and CloudWatch metrics in embedded metric format. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MetricName } from './metric-names.ts';
import { redact } from './redact.ts';
import type { Dimensions, Telemetry } from './telemetry.ts';

const SERVICE = 'course-progress-migration';
export const METRIC_NAMESPACE = 'CourseProgressMigration';

type Samples = Map<MetricName, { unit: (typeof MetricUnit)[keyof typeof MetricUnit]; values: number[] }>;

export function powertoolsTelemetry(): Telemetry {
  const logger = new Logger({ serviceName: SERVICE });
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: SERVICE });
  const gathered = new Map<string, { dimensions: Dimensions; samples: Samples }>();

  const samplesOf = (dimensions: Dimensions): Samples => {
    const key = JSON.stringify(
      Object.keys(dimensions)
        .toSorted()
        .map((name) => [name, dimensions[name]]),
    );
    const group = gathered.get(key) ?? { dimensions, samples: new Map() };
    gathered.set(key, group);
    return group.samples;
  };

  return {
    count(metric, value = 1, dimensions = {}) {
      const samples = samplesOf(dimensions);
      const total = (samples.get(metric)?.values[0] ?? 0) + value;
      samples.set(metric, { unit: MetricUnit.Count, values: [total] });
    },
    time(metric, milliseconds, dimensions = {}) {
      const samples = samplesOf(dimensions);
      const values = [...(samples.get(metric)?.values ?? []), milliseconds];
      samples.set(metric, { unit: MetricUnit.Milliseconds, values });
    },
    info: (message, fields = {}) => logger.info(message, { ...fields }),
    error: (message, error, fields = {}) => logger.error(message, { ...fields, error: describe(error) }),
    flush() {
      // One line for each set of dimensions: counts are added up before they are written.
      for (const { dimensions, samples } of gathered.values()) {
        metrics.addDimensions({ ...dimensions });
        for (const [name, { unit, values }] of samples) values.forEach((value) => metrics.addMetric(name, unit, value));
        metrics.publishStoredMetrics();
      }
      gathered.clear();
    },
  };
}

/** Only the stack's frames: its first line repeats the message, unredacted. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, message: redact(error.message), stack: frames.map((line) => line.trim()) };
}

/** What the service tells its operators. Never a password, token, e-mail address or record body. */
/** Telemetry as structured log lines on standard output, CloudWatch metrics embedded in them. */
import { LogFormatter, LogItem, Logger } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { ENV } from './environment.ts';
import type { Environment } from './environment.ts';
import type { MetricName } from './metric-names.ts';
import { METRIC_DIMENSION, METRIC_NAMESPACE } from './metric-names.ts';
import { systemClock } from './system.ts';

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Telemetry {
  /** Adds to a counter (by 1 where no value is given). */
  count(metric: MetricName, value?: number): void;
  time(metric: MetricName, milliseconds: number): void;
  /** One structured log line, which takes along the metrics gathered so far. */
  info(message: string, fields?: Fields): void;
  /** One structured log line with the name, redacted message and stack of the error. */
  error(message: string, error: unknown, fields?: Fields): void;
  /** Emits the metrics that no line has taken along; every handler calls it once at its end. */
  flush(): void;
}

/**
 * Metrics in CloudWatch's embedded metric format: members of a log line, and a member that says which of them are metrics.
 * What has few, known values (error codes, statuses) is a metric each and no dimension, which would take a line for each.
 */
export class EmbeddedMetrics {
  readonly #values = new Map<MetricName, number | number[]>();

  count(metric: MetricName, value: number): void {
    const standing = this.#values.get(metric);
    this.#values.set(metric, (typeof standing === 'number' ? standing : 0) + value);
  }

  time(metric: MetricName, milliseconds: number): void {
    const standing = this.#values.get(metric);
    this.#values.set(metric, [...(Array.isArray(standing) ? standing : []), milliseconds]);
  }

  /** The members for what was gathered, which starts anew; `undefined` where nothing was. */
  take(nowMs: number): Record<string, unknown> | undefined {
    if (this.#values.size === 0) return undefined;
    const Metrics = [...this.#values].map(([Name, value]) =>
      Array.isArray(value) ? { Name, Unit: 'Milliseconds' } : { Name },
    );
    const directive = { Namespace: METRIC_NAMESPACE, Dimensions: [[METRIC_DIMENSION]], Metrics };
    const members = {
      ...Object.fromEntries(this.#values),
      _aws: { Timestamp: nowMs, CloudWatchMetrics: [directive] },
    };
    this.#values.clear();
    return members;
  }
}

/** Only what tells something: the trace is found by the request id, and we never sample. */
export class LogFormat extends LogFormatter {
  override formatAttributes(standard: UnformattedAttributes, own: LogAttributes): LogItem {
    const { logLevel, message, timestamp, serviceName } = standard;
    const attributes = { level: logLevel, message, timestamp: this.formatTimestamp(timestamp), service: serviceName };
    return new LogItem({ attributes }).addAttributes(own);
  }
}

const MAX_LENGTH = 500;

/** Text of an error as it may be logged: no e-mail addresses, no tokens, no long quotations. */
export function redact(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replaceAll(/[\w-]+\.[\w-]{10,}\.[\w-]{10,}/g, '[token]')
    .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[e-mail]');
}

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

/** Log lines for operators, with metrics embedded. Never a password, token, e-mail address or record body. */
import { LogFormatter, LogItem, Logger } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import * as ENV from './variables.ts';
import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from './metrics.ts';
import { systemClock } from './system.ts';

/** Members of a log line beside those of every line. `undefined` ones are left out. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export type Telemetry = ReturnType<typeof powertoolsTelemetry>;

/** The service name where the stack sets none, as in a test. */
const SERVICE = 'course-progress-migration';

/** The log and the metrics of one function. Metrics are written with the next line, or by `flush`. */
export function powertoolsTelemetry(environment: ENV.Environment = process.env) {
  const service = environment[ENV.service] ?? SERVICE;
  const version = environment[ENV.version];
  const logger = new Logger({
    serviceName: service,
    logFormatter: new LogFormat(),
    ...(version === undefined ? {} : { persistentKeys: { version } }),
  });
  const metrics = new EmbeddedMetrics();
  return {
    /** Adds to a counter (by 1 where no value is given). */
    count(metric: MetricName, value?: number): void {
      metrics.count(metric, value ?? 1);
    },
    time(metric: MetricName, milliseconds: number): void {
      metrics.time(metric, milliseconds);
    },
    /** One structured log line, which includes the metrics gathered so far. */
    info(message: string, fields?: Fields): void {
      logger.info(message, { ...fields, ...metrics.take(systemClock.nowMs()) });
    },
    /** One structured log line with the name, redacted message and stack of the error, and the name of its cause. */
    error(message: string, error: unknown, fields?: Fields): void {
      logger.error(message, { ...fields, error: describe(error) });
    },
    /** Emits the metrics that no line has included; every handler calls it once at its end. */
    flush(): void {
      const members = metrics.take(systemClock.nowMs());
      // Straight to the stream: Lambda wraps console output, and a wrapped line is no metric.
      if (members) process.stdout.write(`${JSON.stringify({ [METRIC_DIMENSION]: service, ...members })}\n`);
    },
  };
}

/** CloudWatch's embedded metric format. Each code is a metric: a dimension would take a line for each. */
class EmbeddedMetrics {
  readonly #values = new Map<MetricName, number | number[]>();

  count(metric: MetricName, value: number): void {
    const before = this.#values.get(metric);
    this.#values.set(metric, (typeof before === 'number' ? before : 0) + value);
  }

  time(metric: MetricName, milliseconds: number): void {
    const before = this.#values.get(metric);
    this.#values.set(metric, [...(Array.isArray(before) ? before : []), milliseconds]);
  }

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

/** Only the useful members: the trace is found by the request id, and logs are never sampled. */
class LogFormat extends LogFormatter {
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
    .replaceAll(/(?<![\w-])[\w-]+\.[\w-]{10,}\.[\w-]{10,}/g, '[token]')
    .replaceAll(/(?<![^\s"'<>@])[^\s"'<>@]+@[^\s"'<>@]+/g, '[e-mail]');
}

/** Only the stack's frames: its first line repeats the message, unredacted. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message: redact(error.message),
    ...(error.cause instanceof Error && { cause: nameOf(error.cause) }),
    stack: frames.map((line) => line.trim()),
  };
}

/** The name that AWS gave the error; of a broken connection, its code, because its name is `Error`. */
function nameOf({ name, code }: Error & { readonly code?: unknown }): string {
  return name === 'Error' && typeof code === 'string' ? code : name;
}

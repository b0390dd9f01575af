/** What the service tells its operators. Never a password, token, e-mail address or record body. */
import type { MetricName } from './metric-names.ts';

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

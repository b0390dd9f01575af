/** What the service tells its operators. Never a password, token, e-mail address or record body. */
import type { MetricName } from './metric-names.ts';

export type Fields = Readonly<Record<string, string | number | boolean | Readonly<Record<string, number>> | undefined>>;
/** One name with a few values that are known beforehand: every value is a metric of its own. */
export type Dimensions = Readonly<Record<string, string>>;

export interface Telemetry {
  /** Adds to a counter (by 1 where no value is given), and to that of its kind where dimensions name one. */
  count(metric: MetricName, value?: number, dimensions?: Dimensions): void;
  time(metric: MetricName, milliseconds: number): void;
  /** One structured log line. */
  info(message: string, fields?: Fields): void;
  /** One structured log line with the name, redacted message and stack of the error. */
  error(message: string, error: unknown, fields?: Fields): void;
  /** Emits the metrics gathered since the last flush; every handler calls it once at its end. */
  flush(): void;
}

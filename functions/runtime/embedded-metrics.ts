/**
 * Metrics in CloudWatch's embedded metric format: whatever one invocation counted is a single log line. The kinds of a
 * counter are metrics of a namespace of their own rather than a dimension, because a dimension takes a line for each value.
 */
import { kindsNamespace, METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from './metric-names.ts';

interface MetricDefinition {
  readonly Name: string;
  readonly Unit?: 'Milliseconds';
}

/** Values by metric, in the order they were first counted. */
type Values = Map<string, number | number[]>;

export class EmbeddedMetrics {
  readonly #service: string;
  readonly #own: Values = new Map();
  readonly #kinds = new Map<MetricName, Values>();

  /** `service` tells one deployed stack's metrics from another's. */
  constructor(service: string) {
    this.#service = service;
  }

  count(metric: MetricName, value: number, kind?: string): void {
    add(this.#own, metric, value);
    if (kind === undefined) return;
    const kinds = this.#kinds.get(metric) ?? new Map();
    this.#kinds.set(metric, kinds);
    add(kinds, kind, value);
  }

  time(metric: MetricName, milliseconds: number): void {
    const standing = this.#own.get(metric);
    this.#own.set(metric, [...(Array.isArray(standing) ? standing : []), milliseconds]);
  }

  /** The line for what was gathered, which starts anew; `undefined` where nothing was. */
  take(nowMs: number): string | undefined {
    if (this.#own.size === 0) return undefined;
    const directives = [
      directive(METRIC_NAMESPACE, this.#own),
      ...[...this.#kinds].map(([metric, kinds]) => directive(kindsNamespace(metric), kinds)),
    ];
    const values = [this.#own, ...this.#kinds.values()].flatMap((each) => [...each]);
    const line = {
      _aws: { Timestamp: nowMs, CloudWatchMetrics: directives },
      [METRIC_DIMENSION]: this.#service,
      ...Object.fromEntries(values),
    };
    this.#own.clear();
    this.#kinds.clear();
    return JSON.stringify(line);
  }
}

function add(values: Values, name: string, value: number): void {
  const standing = values.get(name);
  values.set(name, (typeof standing === 'number' ? standing : 0) + value);
}

function directive(Namespace: string, values: Values) {
  const Metrics = [...values].map(([Name, value]): MetricDefinition =>
    Array.isArray(value) ? { Name, Unit: 'Milliseconds' } : { Name },
  );
  return { Namespace, Dimensions: [[METRIC_DIMENSION]], Metrics };
}

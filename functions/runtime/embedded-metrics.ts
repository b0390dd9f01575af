import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from './metric-names.ts';

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

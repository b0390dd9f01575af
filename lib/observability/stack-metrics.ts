import { Duration } from 'aws-cdk-lib/core';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  kindsNamespace,
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  type MetricName,
} from '../../functions/runtime/metric-names.ts';

export interface Reading {
  readonly statistic?: string;
  readonly period?: Duration;
  readonly label?: string;
}

/** The metrics that the functions of one stack write in their logs. */
export class StackMetrics {
  readonly service: string;

  constructor(service: string) {
    this.service = service;
  }

  metric(metricName: MetricName, reading: Reading = {}): Metric {
    return this.#of(METRIC_NAMESPACE, metricName, reading);
  }

  /** One kind of a metric: `partial_success` of the imports settled. */
  kind(metric: MetricName, metricName: string, reading: Reading = {}): Metric {
    return this.#of(kindsNamespace(metric), metricName, reading);
  }

  /** Every kind of a metric that there is, as a search for the dashboard. */
  searchKinds(metric: MetricName): string {
    const schema = `{"${kindsNamespace(metric)}",${METRIC_DIMENSION}}`;
    return `SEARCH('${schema} ${METRIC_DIMENSION}="${this.service}"', 'Sum', 300)`;
  }

  #of(
    namespace: string,
    metricName: string,
    { statistic = 'Sum', period = Duration.minutes(5), label }: Reading,
  ): Metric {
    return new Metric({
      namespace,
      metricName,
      dimensionsMap: { [METRIC_DIMENSION]: this.service },
      statistic,
      period,
      ...(label === undefined ? {} : { label }),
    });
  }
}

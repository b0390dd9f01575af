import { Duration } from 'aws-cdk-lib/core';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_DIMENSION, METRIC_NAMESPACE } from '../../functions/runtime/metric-names.ts';
import type { MetricName } from '../../functions/runtime/metric-names.ts';

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

  metric(metricName: MetricName, { statistic = 'Sum', period = Duration.minutes(5), label }: Reading = {}): Metric {
    return new Metric({
      namespace: METRIC_NAMESPACE,
      metricName,
      dimensionsMap: { [METRIC_DIMENSION]: this.service },
      statistic,
      period,
      ...(label === undefined ? {} : { label }),
    });
  }
}

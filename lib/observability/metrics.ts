import { Duration } from 'aws-cdk-lib/core';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { METRIC_DIMENSION, METRIC_NAMESPACE } from '../../functions/runtime/metric-names.ts';
import type { MetricName } from '../../functions/runtime/metric-names.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';

interface MetricOptions {
  readonly statistic?: string;
  readonly period?: Duration;
  readonly label?: string;
}

/** The metrics that the functions of one stack write to their logs. */
export class StackMetrics {
  readonly service: string;

  constructor(service: string) {
    this.service = service;
  }

  metric(
    metricName: MetricName,
    { statistic = 'Sum', period = Duration.minutes(5), label }: MetricOptions = {},
  ): Metric {
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

/** The sources of the metrics and logs that alarms and queries of one stack use. */
export interface Watched {
  readonly own: StackMetrics;
  readonly api: Stage;
  readonly watchdog: BundledFunction;
  readonly canary: BundledFunction | undefined;
  readonly deadLetters: Queue;
  readonly intakeDeadLetters: Queue | undefined;
}

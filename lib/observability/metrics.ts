import { Duration } from 'aws-cdk-lib/core';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { INDEXES } from '../../functions/dynamodb/table.ts';
import { METRIC_DIMENSION, METRIC_NAMESPACE } from '../../functions/runtime/metric-names.ts';
import type { MetricName } from '../../functions/runtime/metric-names.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import type { MigrationTable } from '../table/migration-table.ts';

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

/** One of Lambda's metrics over every function of the account and region. */
export const accountMetric = (metricName: string): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', period: Duration.minutes(5) });

export type ThrottleEvents = 'ReadThrottleEvents' | 'WriteThrottleEvents';

/** Of the table and of each of its indexes: an index counts under its own name only. */
export function throttles(table: MigrationTable, metricName: ThrottleEvents): Readonly<Record<string, Metric>> {
  const options = { statistic: 'Sum', period: Duration.minutes(5) };
  const ofIndex = (name: string): Metric =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: name },
      label: name,
      ...options,
    });
  return {
    table: table.metric(metricName, { label: 'table', ...options }),
    ...Object.fromEntries(INDEXES.map(({ name }, at) => [`index${at}`, ofIndex(name)])),
  };
}

/** The sources of the metrics that alarms, dashboard and queries use. */
export interface Watched {
  readonly own: StackMetrics;
  readonly api: Stage;
  readonly login: BundledFunction;
  readonly startImport: BundledFunction;
  readonly processor: BundledFunction;
  readonly watchdog: BundledFunction;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly intakeDeadLetters: Queue;
  readonly table: MigrationTable;
}

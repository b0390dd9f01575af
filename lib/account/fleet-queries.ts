/** Queries over the metrics of all stacks, however many there are: a search for a graph, a query for an alarm. */
import { Duration } from 'aws-cdk-lib/core';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { APPLICATION, type WatchedByTag } from '../observability/tags.ts';
import {
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  type GATEWAY_METRIC,
  type MetricName,
  type SILENT_METRIC,
} from '../../functions/runtime/metrics.ts';

/** A metric, and the names of the dimensions that it has in CloudWatch. */
export interface Source {
  readonly namespace: string;
  readonly dimensions: readonly string[];
  readonly metric: string;
  /** Tags of the counted resources: every resource of a stack has `application`, some have `alarm`. Metrics of our own need no tags. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Other teams of the account have APIs, queues, tables and functions too. */
const OURS = { application: APPLICATION };

/** A metric that the functions write to their logs. All stacks have it in one namespace. */
export const ownMetric = (metric: MetricName | typeof SILENT_METRIC | typeof GATEWAY_METRIC): Source => ({
  namespace: METRIC_NAMESPACE,
  dimensions: [METRIC_DIMENSION],
  metric,
});

const awsMetric =
  (service: string, ...dimensions: string[]) =>
  (metric: string, ...more: string[]): Source => ({
    namespace: `AWS/${service}`,
    dimensions: [...dimensions, ...more],
    metric,
    tags: OURS,
  });
/** A metric of the APIs of all stacks of the account; the next three, of their queues, functions and tables. */
export const apiMetric = awsMetric('ApiGateway', 'ApiName', 'Stage');
export const queueMetric = awsMetric('SQS', 'QueueName');
export const functionMetric = awsMetric('Lambda', 'FunctionName');
export const tableMetric = awsMetric('DynamoDB', 'TableName');

/** Restricts a source to the resources that are tagged with the name of this alarm. */
export const watchedBy = (alarm: WatchedByTag, source: Source): Source => ({ ...source, tags: { ...OURS, alarm } });

const PERIOD = Duration.minutes(5);

/** A line for each stack that has the metric, or whose dimension contains a word. An alarm cannot have a search. */
export function search(
  { namespace, dimensions, metric }: Source,
  { statistic = 'Sum', containing }: { readonly statistic?: string; readonly containing?: string } = {},
): MathExpression {
  const terms = [`{${[namespace, ...dimensions].join(',')}}`, `MetricName="${metric}"`, containing].filter(Boolean);
  return new MathExpression({
    expression: `SEARCH('${terms.join(' ')}', '${statistic}', ${PERIOD.toSeconds()})`,
    usingMetrics: {},
    label: `\${PROP('Dim.${String(dimensions[0])}')}`,
    period: PERIOD,
  });
}

/** A series for each value of the first dimension, the worst first. A metric that was not sent costs nothing. */
export function query(statistic: 'AVG' | 'COUNT' | 'MAX' | 'SUM', source: Source, period: Duration): MathExpression {
  const { namespace, dimensions, metric, tags = {} } = source;
  const schema = [`"${namespace}"`, ...dimensions].join(', ');
  const terms = Object.entries(tags).map(([key, value]) => `tag.${key} = '${value}'`);
  const where = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  return new MathExpression({
    expression: `SELECT ${statistic}("${metric}") FROM SCHEMA(${schema})${where} GROUP BY ${String(dimensions[0])} ORDER BY ${statistic}() DESC`,
    usingMetrics: {},
    label: metric,
    period,
  });
}

/** What CloudWatch counted of a stack in the time of a load. */
import * as v from 'valibot';
import { awsCli, type Cli } from '../aws-cli.ts';
import { describedStacks } from '../aws-stacks.ts';
import type { Observed } from './report.ts';

const RESULTS = v.object({
  MetricDataResults: v.array(v.object({ Id: v.string(), Values: v.array(v.number()) })),
});

const PERIOD_SECONDS = 60;
const INDEX = 'GlobalSecondaryIndexName';

interface Query {
  readonly Id: string;
  readonly Expression: string;
}

const search = (Id: string, schema: string, metric: string, filter: string, statistic = 'Sum'): Query => ({
  Id,
  Expression: `SEARCH('{${schema}} MetricName="${metric}" ${filter}', '${statistic}', ${PERIOD_SECONDS})`,
});

/** The queries by the member that they fill; of several series, the sum. */
function queriesOf(stack: string, table: string): Query[] {
  const ofTable = (id: string, metric: string) => [
    search(`${id}_table`, 'AWS/DynamoDB,TableName', metric, `TableName="${table}"`),
    search(`${id}_index`, `AWS/DynamoDB,${INDEX},TableName`, metric, `TableName="${table}"`),
  ];
  const ofApi = (id: string, metric: string, statistic?: string) =>
    search(id, 'AWS/ApiGateway,ApiName,Stage', metric, `ApiName="${stack}"`, statistic);
  return [
    ...ofTable('writeUnits', 'ConsumedWriteCapacityUnits'),
    ...ofTable('readUnits', 'ConsumedReadCapacityUnits'),
    ...ofTable('throttledWrites', 'WriteThrottleEvents'),
    ...ofTable('throttledReads', 'ReadThrottleEvents'),
    ofApi('requests', 'Count'),
    ofApi('clientErrors', '4XXError'),
    ofApi('serverErrors', '5XXError'),
    ofApi('latencyP50', 'Latency', 'p50'),
    ofApi('latencyP99', 'Latency', 'p99'),
  ];
}

/** Reads the metrics of a stack. @throws Error if the AWS CLI is missing or fails */
export async function observe(stack: string, from: Date, to: Date, cli: Cli = awsCli): Promise<Observed> {
  const [described] = await describedStacks(cli, stack);
  const table = described?.outputs.get('TableName') ?? '';
  const queries = JSON.stringify(queriesOf(stack, table));
  const asked = ['cloudwatch', 'get-metric-data', '--metric-data-queries', queries];
  const times = ['--start-time', from.toISOString(), '--end-time', to.toISOString()];
  const { MetricDataResults: found } = v.parse(RESULTS, await cli('read the metrics', [...asked, ...times]));
  const valuesOf = (...ids: string[]): number[] =>
    found.filter(({ Id }) => ids.includes(Id.split('_')[0] ?? '')).flatMap(({ Values }) => Values);
  const total = (...ids: string[]): number => valuesOf(...ids).reduce((all, value) => all + value, 0);
  const slowest = (id: string): number => Math.max(0, ...valuesOf(id));
  return {
    writeUnits: total('writeUnits'),
    readUnits: total('readUnits'),
    requests: total('requests'),
    throttledEvents: total('throttledWrites', 'throttledReads'),
    clientErrors: total('clientErrors'),
    serverErrors: total('serverErrors'),
    latencyP50: slowest('latencyP50'),
    latencyP99: slowest('latencyP99'),
  };
}

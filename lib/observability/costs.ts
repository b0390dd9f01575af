import { Duration } from 'aws-cdk-lib/core';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { BundledFunction } from '../functions/bundled-function.ts';
import type { Watched } from './metrics.ts';

/** List prices of us-east-1 in USD: good for proportions, not for the bill. */
const MILLION = 1_000_000;
const WRITE_UNIT = 0.625 / MILLION;
const READ_UNIT = 0.125 / MILLION;
const API_REQUEST = 3.5 / MILLION;
const QUEUE_REQUEST = 0.4 / MILLION;
/** Lambda on arm64: one GB for one millisecond. */
const GB_MILLISECOND = 0.0000133334 / 1000;
const MB_PER_GB = 1024;

const HOUR = { statistic: 'Sum', period: Duration.hours(1) };

/** Without an exponent: CloudWatch would read its `e` as the name of a metric. */
const price = (usd: number): string => usd.toFixed(14);

/** Cost per hour of the table, the queue, the API, and the functions that do most of the work. */
export function costMetrics({ table, queue, api, processor, startImport, login }: Watched): MathExpression[] {
  const expression = (label: string, text: string, usingMetrics: MathExpression['usingMetrics']) =>
    new MathExpression({ label, expression: text, usingMetrics, period: HOUR.period });
  const lambda = (label: string, id: string, each: BundledFunction, memoryMb: number) =>
    expression(label, `${id} * ${price((memoryMb / MB_PER_GB) * GB_MILLISECOND)}`, { [id]: each.metricDuration(HOUR) });
  return [
    expression('table', `writes * ${price(WRITE_UNIT)} + reads * ${price(READ_UNIT)}`, {
      writes: table.metricConsumedWriteCapacityUnits(HOUR),
      reads: table.metricConsumedReadCapacityUnits(HOUR),
    }),
    // A message is sent, received and deleted.
    expression('queue', `messages * ${price(3 * QUEUE_REQUEST)}`, { messages: queue.metricNumberOfMessagesSent(HOUR) }),
    expression('API', `requests * ${price(API_REQUEST)}`, { requests: api.metricCount(HOUR) }),
    lambda('process-chunk', 'processing', processor, 1024),
    lambda('start-import', 'starting', startImport, 1024),
    lambda('login', 'logins', login, 1024),
  ];
}

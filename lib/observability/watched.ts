import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { BundledFunction } from '../bundled-function.ts';
import type { MigrationTable } from '../migration-table.ts';
import type { StackMetrics } from './stack-metrics.ts';

/** What the alarms and the dashboard look at. */
export interface Watched {
  readonly own: StackMetrics;
  readonly api: HttpApi;
  readonly login: BundledFunction;
  readonly startImport: BundledFunction;
  readonly processor: BundledFunction;
  readonly watchdog: BundledFunction;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly table: MigrationTable;
}

/** The dashboard: are imports healthy, how fast are they, what is rejected and why, what is stuck, what does it cost? */
import { Duration } from 'aws-cdk-lib/core';
import {
  AlarmStatusWidget,
  type AlarmBase,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRIC, REJECTIONS, WARNINGS } from '../../functions/runtime/metric-names.ts';
import { costMetrics } from './costs.ts';
import { IMPORTS_WITH_FAILURES, TOP_REJECTIONS } from './saved-queries.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import { throttles, type Watched } from './metrics.ts';

const DAY = Duration.days(1);
const QUARTER = { width: 6, height: 6 };
const FULL = { width: 24, height: 6 };
const HALF = { width: 12, height: 6 };
const THIRD = { width: 8, height: 6 };

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Shown {
  readonly watched: Watched;
  readonly version: string;
}

export class OperationsDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { watched, version }: Shown, alarms: readonly AlarmBase[]) {
    super(scope, id, { dashboardName: watched.own.service, defaultInterval: Duration.hours(3) });
    this.addWidgets(
      heading('Are imports healthy?', `Version ${version}`),
      ...health(watched, alarms),
      heading('How fast?'),
      ...speed(watched),
      heading('What is rejected, and why?'),
      ...rejections(watched),
      heading('What is stuck?'),
      ...stuck(watched),
      heading('Who gets in, and what does it cost?'),
      ...loginsAndCosts(watched),
    );
  }
}

const heading = (question: string, ...notes: string[]): IWidget =>
  new TextWidget({ markdown: [`## ${question}`, ...notes].join('\n'), width: 24, height: 1 + notes.length });

const graph = (title: string, size: Size, left: IMetric[], right: IMetric[] = []): IWidget =>
  new GraphWidget({ title, ...size, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 } });

function health({ own }: Watched, alarms: readonly AlarmBase[]): IWidget[] {
  const today = { period: DAY };
  return [
    new AlarmStatusWidget({ title: 'Alarms', width: 12, height: 4, alarms: [...alarms] }),
    new SingleValueWidget({
      title: 'The last day',
      width: 12,
      height: 4,
      setPeriodToTimeRange: true,
      // Its own range: the dashboard's is three hours.
      start: '-P1D',
      end: 'P0D',
      metrics: [
        own.metric(METRIC.importsAccepted, { ...today, label: 'accepted' }),
        own.metric(METRIC.importsReplayed, { ...today, label: 'replayed' }),
        own.metric(METRIC.importsSucceeded, { ...today, label: 'success' }),
        own.metric(METRIC.importsPartlySucceeded, { ...today, label: 'partial success' }),
        own.metric(METRIC.importsFailed, { ...today, label: 'error' }),
        own.metric(METRIC.importsCancelled, { ...today, label: 'cancelled' }),
        own.metric(METRIC.importsReverted, { ...today, label: 'reverted' }),
      ],
    }),
  ];
}

function speed({ own, api, processor }: Watched): IWidget[] {
  const percentiles = ['p50', 'p95', 'Maximum'];
  return [
    graph(
      'Time to terminal (ms)',
      THIRD,
      percentiles.map((statistic) => own.metric(METRIC.timeToTerminal, { statistic, label: statistic })),
    ),
    graph(
      'Imports and records',
      THIRD,
      [METRIC.importsAccepted, METRIC.importsReplayed, METRIC.dryRunsAnswered].map((name) => own.metric(name)),
      [own.metric(METRIC.recordsApplied)],
    ),
    graph('API latency and chunk duration (ms)', THIRD, [
      api.metricLatency({ statistic: 'p95', label: 'API p95' }),
      processor.metricDuration({ statistic: 'p95', label: 'process-chunk p95' }),
    ]),
  ];
}

function rejections({ own, processor }: Watched): IWidget[] {
  return [
    graph(
      'Rejected records by code',
      THIRD,
      REJECTIONS.map((code) => own.metric(code)),
    ),
    graph(
      'Warnings by code',
      THIRD,
      WARNINGS.map((code) => own.metric(code)),
    ),
    logTable('Rejection reasons', THIRD, processor, TOP_REJECTIONS),
    logTable('Imports with failures', FULL, processor, IMPORTS_WITH_FAILURES),
  ];
}

interface LogQuery {
  readonly filterStatements: readonly string[];
  readonly statsStatements: readonly string[];
  readonly sort?: string;
  readonly limit?: number;
}

const logTable = (title: string, size: Size, { logs }: BundledFunction, query: LogQuery): IWidget =>
  new LogQueryWidget({
    title,
    ...size,
    view: LogQueryVisualizationType.TABLE,
    logGroupNames: [logs.logGroupName],
    queryLines: [
      ...query.filterStatements.map((statement) => `filter ${statement}`),
      ...query.statsStatements.map((statement) => `stats ${statement}`),
      ...(query.sort === undefined ? [] : [`sort ${query.sort}`]),
      ...(query.limit === undefined ? [] : [`limit ${query.limit}`]),
    ],
  });

function stuck({ own, queue, deadLetters, intakeDeadLetters, table }: Watched): IWidget[] {
  return [
    graph(
      'Chunks waiting',
      QUARTER,
      [
        queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
        deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead letters' }),
        intakeDeadLetters.metricApproximateNumberOfMessagesVisible({ label: 'dead letters of the intake' }),
      ],
      [queue.metricApproximateAgeOfOldestMessage({ label: 'oldest (s)' })],
    ),
    graph('Chunks that came again', QUARTER, [
      own.metric(METRIC.chunksRetried),
      own.metric(METRIC.chunksFailed),
      own.metric(METRIC.chunksResent),
    ]),
    graph(
      'Imports past due',
      QUARTER,
      [
        own.metric(METRIC.importsPastDue),
        own.metric(METRIC.importsStuck, { statistic: 'Maximum' }),
        own.metric(METRIC.importsAbandoned),
      ],
      [own.metric(METRIC.importsOpen, { statistic: 'Maximum', label: 'open' })],
    ),
    graph('Faults', QUARTER, [
      own.metric(METRIC.internalErrors),
      own.metric(METRIC.temporarilyUnavailable),
      own.metric(METRIC.recordsProcessingFailed),
      own.metric(METRIC.signingKeyUnusable),
      own.metric(METRIC.foreignMessages),
    ]),
    graph('Throttled writes', HALF, Object.values(throttles(table, 'WriteThrottleEvents'))),
    graph('Throttled reads', HALF, Object.values(throttles(table, 'ReadThrottleEvents'))),
  ];
}

function loginsAndCosts(watched: Watched): IWidget[] {
  const { own, api } = watched;
  return [
    graph('Logins', THIRD, [
      own.metric(METRIC.loginsSucceeded),
      own.metric(METRIC.loginsRefused),
      own.metric(METRIC.loginsThrottled),
    ]),
    graph('Responses', THIRD, [
      api.metricCount({ label: 'requests' }),
      api.metricClientError({ label: '4xx' }),
      api.metricServerError({ label: '5xx' }),
    ]),
    new GraphWidget({
      title: 'Cost an hour (USD, list prices of us-east-1)',
      ...THIRD,
      stacked: true,
      left: costMetrics(watched),
      leftYAxis: { min: 0 },
    }),
  ];
}

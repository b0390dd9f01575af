/** The dashboard of all stacks: companies whose imports are not healthy; of a chosen stack, its speed and its rejected records. */
import { Duration, Stack } from 'aws-cdk-lib/core';
import {
  AlarmStatusWidget,
  type AlarmBase,
  Dashboard,
  DashboardVariable,
  GraphWidget,
  type IMetric,
  type IWidget,
  SingleValueWidget,
  TextWidget,
  Values,
  VariableInputType,
  VariableType,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRIC_DIMENSION, METRIC_NAMESPACE, REJECTIONS, WARNINGS } from '../../functions/runtime/metrics.ts';
import { metricsOf } from '../observability/alarms.ts';
import { apiMetric, functionMetric, ownMetric, queueMetric, search, tableMetric } from './fleet-queries.ts';

const DAY = Duration.days(1);
const HALF = 12;
const THIRD = 8;

type OwnMetrics = ReturnType<typeof metricsOf>;

/** The console puts the name of the chosen stack in its place, everywhere in the dashboard. */
const CHOSEN = 'course-progress-migration-COMPANY-STAGE';

/** One dashboard for all stacks of the account and region, with a field to choose one of them. */
export function fleetDashboard(scope: Construct, alarms: readonly AlarmBase[]): Dashboard {
  const dashboard = new Dashboard(scope, 'Dashboard', {
    // Dashboards of all regions of an account share their names.
    dashboardName: `course-progress-migration-${Stack.of(scope).region}`,
    defaultInterval: Duration.hours(3),
    variables: [
      new DashboardVariable({
        id: 'company',
        label: 'Company',
        type: VariableType.PATTERN,
        value: CHOSEN,
        inputType: VariableInputType.SELECT,
        visible: true,
        values: Values.fromSearchComponents({
          namespace: METRIC_NAMESPACE,
          dimensions: [METRIC_DIMENSION],
          metricName: 'ImportsAccepted',
          populateFrom: METRIC_DIMENSION,
        }),
      }),
    ],
  });
  const own = metricsOf(CHOSEN);
  dashboard.addWidgets(
    heading('Whose imports are not healthy?'),
    new AlarmStatusWidget({ title: 'Alarms', width: 24, height: 4, alarms: [...alarms] }),
    ...companies(),
    heading('What is stuck or throttled?'),
    ...infrastructure(),
    heading(`One company: ${CHOSEN}`),
    lastDay(own),
    ...oneCompany(own),
  );
  return dashboard;
}

const heading = (text: string): IWidget => new TextWidget({ markdown: `## ${text}`, width: 24, height: 1 });

const graph = (title: string, left: IMetric[], right: IMetric[] = [], width = THIRD): IWidget =>
  new GraphWidget({ title, width, height: 6, left, right, leftYAxis: { min: 0 }, rightYAxis: { min: 0 } });

/** A line for each stack that has anything to show. */
function companies(): IWidget[] {
  const most = { statistic: 'Maximum' };
  return [
    graph('Imports open', [search(ownMetric('ImportsOpen'), most)]),
    graph('Imports stuck', [search(ownMetric('ImportsStuck'), most)]),
    graph('Imports failed (status error)', [search(ownMetric('ImportsFailed'))]),
    graph('Time to terminal, p95 (ms)', [search(ownMetric('TimeToTerminal'), { statistic: 'p95' })]),
    graph('Records that the code failed on', [search(ownMetric('RecordsProcessingFailed'))]),
    graph('Internal errors', [search(ownMetric('InternalErrors'))]),
    graph('Sign-ins that the identity provider failed', [search(ownMetric('SignInsFailed'))]),
    graph('503 to callers', [search(ownMetric('TemporarilyUnavailable'))]),
    graph('Responses 5xx', [search(apiMetric('5XXError'))]),
    graph('API latency, p95 (ms)', [search(apiMetric('Latency'), { statistic: 'p95' })]),
  ];
}

function infrastructure(): IWidget[] {
  const most = { statistic: 'Maximum' };
  return [
    graph('Oldest message of each queue (s)', [search(queueMetric('ApproximateAgeOfOldestMessage'), most)]),
    graph('Dead letters', [
      search(queueMetric('ApproximateNumberOfMessagesVisible'), { ...most, containing: 'DeadLetters' }),
    ]),
    graph('Runs of each watchdog', [search(functionMetric('Invocations'), { containing: 'Watchdog' })]),
    graph('Errors of functions', [search(functionMetric('Errors'))]),
    graph('Throttled writes', [
      search(tableMetric('WriteThrottleEvents')),
      search(tableMetric('WriteThrottleEvents', 'GlobalSecondaryIndexName')),
    ]),
    graph('Throttled reads', [
      search(tableMetric('ReadThrottleEvents')),
      search(tableMetric('ReadThrottleEvents', 'GlobalSecondaryIndexName')),
    ]),
  ];
}

function lastDay(own: OwnMetrics): IWidget {
  const counts = {
    accepted: 'ImportsAccepted',
    replayed: 'ImportsReplayed',
    success: 'ImportsSucceeded',
    'partial success': 'ImportsPartlySucceeded',
    error: 'ImportsFailed',
    cancelled: 'ImportsCancelled',
    reverted: 'ImportsReverted',
  } as const;
  return new SingleValueWidget({
    title: 'The last day',
    width: 24,
    height: 4,
    setPeriodToTimeRange: true,
    // The widget has its own range: the dashboard's is three hours.
    start: '-P1D',
    end: 'P0D',
    metrics: Object.entries(counts).map(([label, name]) => own(name, { period: DAY, label })),
  });
}

function oneCompany(own: OwnMetrics): IWidget[] {
  const all = (...names: Parameters<OwnMetrics>[0][]) => names.map((name) => own(name));
  return [
    graph(
      'Time to terminal (ms)',
      ['p50', 'p95', 'Maximum'].map((statistic) => own('TimeToTerminal', { statistic, label: statistic })),
    ),
    graph('Imports and records', all('ImportsAccepted', 'ImportsReplayed', 'DryRunsAnswered'), all('RecordsApplied')),
    graph(
      'Imports past due',
      [...all('ImportsPastDue', 'ImportsAbandoned'), own('ImportsStuck', { statistic: 'Maximum' })],
      [own('ImportsOpen', { statistic: 'Maximum', label: 'open' })],
    ),
    graph('Rejected records by code', all(...REJECTIONS), [], HALF),
    graph('Warnings by code', all(...WARNINGS), [], HALF),
    graph('Chunks that came again', all('ChunksRetried', 'ChunksFailed', 'ChunksResent')),
    graph(
      'Faults',
      all(
        'InternalErrors',
        'TemporarilyUnavailable',
        'CallsThrottled',
        'RecordsProcessingFailed',
        'SigningKeyUnusable',
        'ForeignMessages',
      ),
    ),
    graph('Logins, sign-ins and tokens', all('LoginsSucceeded', 'LoginsRefused', 'LoginsThrottled')),
    graph('Sign-ins, and tokens of clients', all('SignInsRefused', 'SignInsFailed', 'TokensRefused')),
  ];
}

/** The alarms over all stacks of the account and region. Each has its section in `docs/runbook.md`. */
import { Duration } from 'aws-cdk-lib/core';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../functions/runtime/metrics.ts';
import {
  alarm,
  type AlarmName,
  type AlarmSpec,
  CALLS_THROTTLED,
  FAST_BURN,
  FIVE_MINUTES,
  LASTING,
  ONE_MINUTE,
  REFUSED,
  SERVER_ERRORS,
  SIGN_INS_FAILED,
  SLOW_MS,
} from '../observability/alarms.ts';
import {
  apiMetric,
  functionMetric,
  ownMetric,
  query,
  queueMetric,
  type Source,
  tableMetric,
  watchedBy,
} from './fleet-queries.ts';

/** Several times as long as a backlog of twenty large imports takes. */
const OLDEST_MESSAGE_SECONDS = 600;
const THROTTLED_EVENTS = 100;
/** A watchdog that fails in every run fails five times in five minutes. */
const FAILED_INVOCATIONS = 5;
/** Failed runs that ring, of the three runs of a canary in a quarter of an hour. */
const FAILED_RUNS = 2;
const ALMOST = 0.8;

/** The mean of all responses of an API, which `SlowResponses` watches here. */
const SLOW_ON_AVERAGE = 'For a quarter of an hour, the responses of an API took longer than a second on average.';

const sumOf = (source: Source) => query('SUM', source, FIVE_MINUTES);
const counted = (metric: MetricName) => sumOf(ownMetric(metric));

/** @param concurrency the quota of concurrent executions that the account has */
export function fleetAlarms(concurrency: number): readonly AlarmSpec[] {
  return [...importAlarms(), ...callerAlarms(), ...throttleAlarms(), ...accountAlarms(concurrency)];
}

function importAlarms(): AlarmSpec[] {
  const failedRuns = query('SUM', watchedBy('CanaryFails', functionMetric('Errors')), Duration.minutes(15));
  const oldest = query('MAX', watchedBy('MessagesWait', queueMetric('ApproximateAgeOfOldestMessage')), ONE_MINUTE);
  return [
    alarm('ImportPastDue', query('MAX', ownMetric('ImportsStuck'), FIVE_MINUTES), 1),
    alarm('ImportAbandoned', counted('ImportsAbandoned'), 1),
    alarm('RecordsProcessingFailed', counted('RecordsProcessingFailed'), 1),
    alarm('RecordsRejected', counted('RecordsRejected'), 5000),
    alarm('ForeignMessages', counted('ForeignMessages'), 1),
    alarm('ChunksFail', counted('ChunksFailed'), 5),
    alarm('WatchdogFails', sumOf(watchedBy('WatchdogFails', functionMetric('Errors'))), FAILED_INVOCATIONS),
    alarm('CanaryFails', failedRuns, FAILED_RUNS),
    alarm('MessagesWait', oldest, OLDEST_MESSAGE_SECONDS, { evaluationPeriods: 5 }),
  ];
}

function callerAlarms(): AlarmSpec[] {
  const latency = query('AVG', apiMetric('Latency'), FIVE_MINUTES);
  return [
    alarm('ServerErrors', sumOf(apiMetric('5XXError')), SERVER_ERRORS),
    // The objectives of success and of latency, and refused calls: also those that API Gateway throttles, which no function sees.
    alarm('ErrorBudgetBurns', query('AVG', apiMetric('5XXError'), Duration.hours(1)), FAST_BURN, {
      evaluationPeriods: 2,
    }),
    // The mean, because a query knows no percentile.
    { ...alarm('SlowResponses', latency, SLOW_MS, LASTING), meaning: SLOW_ON_AVERAGE },
    alarm('CallsRefused', sumOf(apiMetric('4XXError')), REFUSED, LASTING),
    alarm('CallsThrottled', counted('CallsThrottled'), CALLS_THROTTLED),
    alarm('InternalErrors', counted('InternalErrors'), 1),
    alarm('DependencyDown', counted('TemporarilyUnavailable'), 10),
    alarm('SigningKeyUnusable', counted('SigningKeyUnusable'), 1),
    alarm('LoginsFail', counted('LoginsRefused'), 50),
    alarm('SpentTokenUsed', counted('SpentTokensUsed'), 1),
    alarm('HistoriesRead', counted('HistoryReads'), 1000),
    alarm('ImportsReverted', counted('ImportsReverted'), 50),
    alarm('LoginsThrottled', counted('LoginsThrottled'), 20),
    alarm('SignInsFail', counted('SignInsFailed'), SIGN_INS_FAILED),
  ];
}

const throttled = (name: AlarmName, source: Source): AlarmSpec => alarm(name, sumOf(source), THROTTLED_EVENTS, LASTING);

/** The throttles of an index are counted under its own name only, and delay the writes to its table. */
function throttleAlarms(): AlarmSpec[] {
  const index = 'GlobalSecondaryIndexName';
  return [
    throttled('ThrottledWrites', tableMetric('WriteThrottleEvents')),
    throttled('ThrottledReads', tableMetric('ReadThrottleEvents')),
    throttled('ThrottledIndexWrites', tableMetric('WriteThrottleEvents', index)),
    throttled('ThrottledIndexReads', tableMetric('ReadThrottleEvents', index)),
  ];
}

const lambdaMetric = (metricName: string, statistic: string): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: FIVE_MINUTES });

const accountAlarms = (concurrency: number): AlarmSpec[] => [
  alarm('AccountThrottled', lambdaMetric('Throttles', 'Sum'), 1, { evaluationPeriods: 2 }),
  {
    name: 'ConcurrencyAlmostUsed',
    meaning: `Of the ${concurrency} concurrent executions of the account, more than ${100 * ALMOST} % are in use.`,
    metric: lambdaMetric('ConcurrentExecutions', 'Maximum'),
    threshold: Math.floor(ALMOST * concurrency),
    evaluationPeriods: 3,
  },
];

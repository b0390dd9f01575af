/** The alarms over all stacks of the account and region. Each has its section in `docs/runbook.md`. */
import { Duration } from 'aws-cdk-lib/core';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName } from '../../functions/runtime/metric-names.ts';
import * as METRIC from '../../functions/runtime/metrics.ts';
import {
  type AlarmSpec,
  CALLS_THROTTLED,
  FAST_BURN,
  FIVE_MINUTES,
  LASTING_PERIODS,
  MEANING,
  ONE_MINUTE,
  REFUSED,
  SERVER_ERRORS,
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

type Spec = Omit<AlarmSpec, 'metric'>;

const sumOf = (source: Source, spec: Spec): AlarmSpec => ({ ...spec, metric: query('SUM', source, FIVE_MINUTES) });
const counted = (metric: MetricName, spec: Spec): AlarmSpec => sumOf(ownMetric(metric), spec);

/** @param concurrency the quota of concurrent executions that the account has */
export function fleetAlarms(concurrency: number): readonly AlarmSpec[] {
  return [...importAlarms(), ...callerAlarms(), ...throttleAlarms(), ...accountAlarms(concurrency)];
}

function importAlarms(): AlarmSpec[] {
  return [
    {
      name: 'ImportPastDue',
      meaning: MEANING.ImportPastDue,
      metric: query('MAX', ownMetric(METRIC.importsStuck), FIVE_MINUTES),
      threshold: 1,
    },
    counted(METRIC.importsAbandoned, { name: 'ImportAbandoned', meaning: MEANING.ImportAbandoned, threshold: 1 }),
    counted(METRIC.recordsProcessingFailed, {
      name: 'RecordsProcessingFailed',
      meaning: MEANING.RecordsProcessingFailed,
      threshold: 1,
    }),
    counted(METRIC.recordsRejected, {
      name: 'RecordsRejected',
      meaning: 'Many records are rejected: a mapping is wrong, or the facts of the platform are missing.',
      threshold: 5000,
    }),
    counted(METRIC.foreignMessages, {
      name: 'ForeignMessages',
      meaning: 'Messages that the service did not send arrived in a chunk queue. They were deleted.',
      threshold: 1,
    }),
    counted(METRIC.chunksFailed, {
      name: 'ChunksFail',
      meaning: 'Deliveries of chunks fail and are retried.',
      threshold: 5,
    }),
    sumOf(watchedBy('WatchdogFails', functionMetric('Errors')), {
      name: 'WatchdogFails',
      meaning:
        'A watchdog crashes or runs out of time in every run, so that nothing finds imports that stopped moving.',
      threshold: FAILED_INVOCATIONS,
    }),
    {
      name: 'CanaryFails',
      meaning: MEANING.CanaryFails,
      metric: query('SUM', watchedBy('CanaryFails', functionMetric('Errors')), Duration.minutes(15)),
      threshold: FAILED_RUNS,
    },
    {
      name: 'MessagesWait',
      meaning: 'Messages have waited for ten minutes: facts of the platform, or dead letters of chunks or of facts.',
      metric: query('MAX', watchedBy('MessagesWait', queueMetric('ApproximateAgeOfOldestMessage')), ONE_MINUTE),
      threshold: OLDEST_MESSAGE_SECONDS,
      periods: 5,
    },
  ];
}

function callerAlarms(): AlarmSpec[] {
  return [
    sumOf(apiMetric('5XXError'), { name: 'ServerErrors', meaning: MEANING.ServerErrors, threshold: SERVER_ERRORS }),
    ...objectives(),
    counted(METRIC.internalErrors, {
      name: 'InternalErrors',
      meaning: 'An operation failed on an internal error and returned 500.',
      threshold: 1,
    }),
    counted(METRIC.temporarilyUnavailable, {
      name: 'DependencyDown',
      meaning: 'Callers get 503, because the database, the queue or the signing key is throttled or unavailable.',
      threshold: 10,
    }),
    counted(METRIC.signingKeyUnusable, {
      name: 'SigningKeyUnusable',
      meaning: MEANING.SigningKeyUnusable,
      threshold: 1,
    }),
    counted(METRIC.loginsRefused, {
      name: 'LoginsFail',
      meaning: 'Many logins fail: passwords are being guessed, or a client has a wrong one.',
      threshold: 50,
    }),
    counted(METRIC.spentTokensUsed, {
      name: 'SpentTokenUsed',
      meaning:
        'A spent refresh token was used again: it was stolen, or a client keeps old ones. Its session has ended.',
      threshold: 1,
    }),
    counted(METRIC.historyReads, {
      name: 'HistoriesRead',
      meaning: 'Many transcripts, audits, results, mappings or old reports are read.',
      threshold: 1000,
    }),
    counted(METRIC.importsReverted, { name: 'ImportsReverted', meaning: 'Many imports are reverted.', threshold: 50 }),
    counted(METRIC.loginsThrottled, {
      name: 'LoginsThrottled',
      meaning: 'Logins are refused after too many failures.',
      threshold: 20,
    }),
  ];
}

/** The objectives of success and of latency, and refused calls: also those that API Gateway throttles, which no function sees. */
function objectives(): AlarmSpec[] {
  return [
    {
      name: 'ErrorBudgetBurns',
      meaning: MEANING.ErrorBudgetBurns,
      metric: query('AVG', apiMetric('5XXError'), Duration.hours(1)),
      threshold: FAST_BURN,
      periods: 2,
    },
    // The mean, because a query knows no percentile.
    {
      name: 'SlowResponses',
      meaning: 'For a quarter of an hour, the responses of an API took longer than a second on average.',
      metric: query('AVG', apiMetric('Latency'), FIVE_MINUTES),
      threshold: SLOW_MS,
      periods: LASTING_PERIODS,
    },
    sumOf(apiMetric('4XXError'), {
      name: 'CallsRefused',
      meaning: MEANING.CallsRefused,
      threshold: REFUSED,
      periods: LASTING_PERIODS,
    }),
    counted(METRIC.callsThrottled, {
      name: 'CallsThrottled',
      meaning: MEANING.CallsThrottled,
      threshold: CALLS_THROTTLED,
    }),
  ];
}

const throttled = (name: string, meaning: string, source: Source): AlarmSpec =>
  sumOf(source, { name, meaning, threshold: THROTTLED_EVENTS, periods: LASTING_PERIODS });

/** The throttles of an index are counted under its own name only, and delay the writes to its table. */
function throttleAlarms(): AlarmSpec[] {
  const index = 'GlobalSecondaryIndexName';
  return [
    throttled('ThrottledWrites', 'A table throttles writes.', tableMetric('WriteThrottleEvents')),
    throttled('ThrottledReads', 'A table throttles reads.', tableMetric('ReadThrottleEvents')),
    throttled('ThrottledIndexWrites', 'An index throttles writes.', tableMetric('WriteThrottleEvents', index)),
    throttled('ThrottledIndexReads', 'An index throttles reads.', tableMetric('ReadThrottleEvents', index)),
  ];
}

/** One of Lambda's metrics over every function of the account and region. */
const lambdaMetric = (metricName: string, statistic: string): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: FIVE_MINUTES });

function accountAlarms(concurrency: number): AlarmSpec[] {
  return [
    {
      name: 'AccountThrottled',
      meaning: 'Lambda refuses to start functions: the concurrency of the account is used up.',
      metric: lambdaMetric('Throttles', 'Sum'),
      threshold: 1,
      periods: 2,
    },
    {
      name: 'ConcurrencyAlmostUsed',
      meaning: `Of the ${concurrency} concurrent executions of the account, more than ${100 * ALMOST} % are in use.`,
      metric: lambdaMetric('ConcurrentExecutions', 'Maximum'),
      threshold: Math.floor(ALMOST * concurrency),
      periods: 3,
    },
  ];
}

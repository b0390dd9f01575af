/** The alarms of one stack as data. Each reports one problem that needs a person, and `docs/runbook.md` has a section for each. */
import { Duration } from 'aws-cdk-lib/core';
import { type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import * as METRIC from '../../functions/runtime/metrics.ts';
import { POINTS_THAT_RING } from '../../functions/runtime/metric-names.ts';
import type { Settings } from '../settings.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import type { Watched } from './metrics.ts';

export interface AlarmSpec {
  /** Also the heading of its section in the runbook: `DeadLettersWaiting` is “Dead letters waiting”. */
  readonly name: string;
  readonly meaning: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of consecutive periods; default: one. */
  readonly periods?: number;
  readonly missing?: TreatMissingData;
  /** Whether a percentile of too few values counts; default: it does. */
  readonly fewValues?: 'ignore';
}

export const ONE_MINUTE = Duration.minutes(1);
export const FIVE_MINUTES = Duration.minutes(5);

/** A client whose calls all fail, one every 90 seconds, fails three times in every five minutes. */
export const SERVER_ERRORS = 3;
/** 99.9 % of a month's responses are no 5xx: an hour with this share of 5xx uses ten times its part of the budget. */
export const FAST_BURN = 0.01;
export const SLOW_MS = 1000;
/** One a second: more than a client that stumbles now and then. */
export const REFUSED = 300;
export const CALLS_THROTTLED = 20;
/** A quarter of an hour. A million records on a new table are throttled for nine minutes, which is normal. */
export const LASTING_PERIODS = 3;

/** The meaning of each alarm, in every stack. */
export const MEANING = {
  ImportPastDue: 'An import has made no progress for twenty minutes although its chunks were sent again twice.',
  ImportAbandoned:
    'The watchdog abandoned an import after a day; its unprocessed records have the result processing_failed.',
  RecordsProcessingFailed: 'The code threw an exception on a record, whose result is processing_failed.',
  ServerErrors: 'The API returns 5xx.',
  ErrorBudgetBurns:
    'For two hours, more than 1 % of the responses of an API were 5xx: ten times what its objective of 99.9 % allows.',
  CallsRefused: 'For a quarter of an hour, an API refused a call every second: throttled, blocked, or wrong.',
  CallsThrottled:
    'Callers get 429 from the service: an hourly quota of a company is used up, or logins failed too often.',
  CanaryFails: 'The checks that call the API every five minutes have failed, or did not run, for a quarter of an hour.',
  TheftSuspected:
    'A spent refresh token was used, many logins failed, or many transcripts, results or mappings were read or imports reverted.',
  SigningKeyUnusable: 'The signing key is disabled, waits to be deleted, or is deleted: all logins fail.',
} as const;

/**
 * An alarm has a price in each stack, so a stack has only alarms that no other alarm implies: in every fault, an import does
 * not end or the API fails. A sandbox has one for stuck imports and signs of a theft together. The account stack has the others, once
 * for all stacks (`lib/account/fleet-alarms.ts`).
 */
export function alarmList(watched: Watched, { stage, objectives }: Settings): readonly AlarmSpec[] {
  const { own, api } = watched;
  const serverErrors: AlarmSpec = {
    name: 'ServerErrors',
    meaning: MEANING.ServerErrors,
    metric: api.metricServerError({ statistic: 'Sum', period: FIVE_MINUTES }),
    threshold: SERVER_ERRORS,
  };
  const attention: AlarmSpec = {
    name: 'Attention',
    meaning: `One of two. ${MEANING.ImportPastDue} Or: ${MEANING.TheftSuspected}`,
    metric: own.metric(METRIC.attention),
    threshold: POINTS_THAT_RING,
  };
  return [
    serverErrors,
    ...(stage === 'sandbox' ? [attention] : productionAlarms(watched)),
    ...(objectives === true ? objectiveAlarms(watched) : []),
    ...canaryAlarms(watched),
  ];
}

/** The objectives of success and of latency, and refused calls: also those that API Gateway throttles, which no function sees. */
function objectiveAlarms({ own, api }: Watched): AlarmSpec[] {
  return [
    {
      name: 'ErrorBudgetBurns',
      meaning: MEANING.ErrorBudgetBurns,
      metric: api.metricServerError({ statistic: 'Average', period: Duration.hours(1) }),
      threshold: FAST_BURN,
      periods: 2,
    },
    {
      name: 'SlowResponses',
      meaning:
        'For a quarter of an hour, a tenth of the responses took longer than a second: ten times what their objective of 99 % allows.',
      metric: api.metricLatency({ statistic: 'p90', period: FIVE_MINUTES }),
      threshold: SLOW_MS,
      periods: LASTING_PERIODS,
      fewValues: 'ignore',
    },
    {
      name: 'CallsRefused',
      meaning: MEANING.CallsRefused,
      metric: api.metricClientError({ statistic: 'Sum', period: FIVE_MINUTES }),
      threshold: REFUSED,
      periods: LASTING_PERIODS,
    },
    {
      name: 'CallsThrottled',
      meaning: MEANING.CallsThrottled,
      metric: own.metric(METRIC.callsThrottled),
      threshold: CALLS_THROTTLED,
    },
  ];
}

/** Three runs in a row: one call that fails is nothing that a person must look at. */
function canaryAlarms({ canary }: Watched): AlarmSpec[] {
  if (canary === undefined) return [];
  return [{ ...silent(canary), name: 'CanaryFails', meaning: MEANING.CanaryFails, periods: LASTING_PERIODS }];
}

function productionAlarms({ own, watchdog, deadLetters, intakeDeadLetters }: Watched): AlarmSpec[] {
  const intakeAlarms: AlarmSpec[] =
    intakeDeadLetters === undefined
      ? []
      : [
          {
            name: 'IntakeDeadLettersWaiting',
            meaning: 'A message of the platform has facts that were rejected three times.',
            metric: waiting(intakeDeadLetters),
            threshold: 1,
          },
        ];
  return [
    {
      name: 'ImportPastDue',
      meaning: MEANING.ImportPastDue,
      metric: own.metric(METRIC.importsStuck, { statistic: 'Maximum' }),
      threshold: 1,
    },
    {
      name: 'TheftSuspected',
      meaning: MEANING.TheftSuspected,
      metric: own.metric(METRIC.suspicion),
      threshold: POINTS_THAT_RING,
    },
    {
      name: 'DeadLettersWaiting',
      meaning: 'A chunk of an import failed five times.',
      metric: waiting(deadLetters),
      threshold: 1,
    },
    ...intakeAlarms,
    {
      name: 'ImportAbandoned',
      meaning: MEANING.ImportAbandoned,
      metric: own.metric(METRIC.importsAbandoned),
      threshold: 1,
    },
    {
      name: 'RecordsProcessingFailed',
      meaning: MEANING.RecordsProcessingFailed,
      metric: own.metric(METRIC.recordsProcessingFailed),
      threshold: 1,
    },
    {
      name: 'WatchdogSilent',
      meaning: 'The watchdog has not checked open imports for ten minutes.',
      ...silent(watchdog),
      periods: 2,
    },
    {
      name: 'SigningKeyUnusable',
      meaning: MEANING.SigningKeyUnusable,
      metric: own.metric(METRIC.signingKeyUnusable),
      threshold: 1,
    },
  ];
}

const waiting = (queue: Watched['deadLetters']): IMetric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: ONE_MINUTE });

/**
 * No run succeeded, or none was started: Lambda sends for each run whether it failed, 0 or 1. One metric is cheaper than two, and than one
 * that the function counts in every run.
 */
export const silent = (scheduled: BundledFunction) => ({
  metric: scheduled.metricErrors({ statistic: 'Minimum', period: FIVE_MINUTES }),
  threshold: 1,
  missing: TreatMissingData.BREACHING,
});

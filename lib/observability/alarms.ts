/** The alarms of one stack as data. Each reports one problem that needs a person, and `docs/runbook.md` has a section for each. */
import { Duration } from 'aws-cdk-lib/core';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  type AlarmProps,
  type IMetric,
  MathExpression,
  Metric,
  type MetricProps,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  type MetricName,
  POINTS_THAT_RING,
} from '../../functions/runtime/metrics.ts';
import type { Settings } from '../settings.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';

/** By default over one period, and missing data are no breach. */
type How = Partial<Pick<AlarmProps, 'evaluationPeriods' | 'treatMissingData' | 'evaluateLowSampleCountPercentile'>>;

/** An alarm as data: what rings, when, and what it means. */
export interface AlarmSpec extends Pick<AlarmProps, 'metric' | 'threshold'>, How {
  /** Also the heading of its section in the runbook: `DeadLettersWaiting` is “Dead letters waiting”. */
  readonly name: string;
  readonly meaning: string;
  /** It can wait until the morning: nobody is woken. */
  readonly waits?: boolean;
  /** It reports an event, which does not end: no message follows when the alarm is quiet again. */
  readonly isEvent?: boolean;
}

export const ONE_MINUTE = Duration.minutes(1);
export const FIVE_MINUTES = Duration.minutes(5);

/** The metrics that the functions of one stack write to their logs: by default the sum of five minutes. */
export const metricsOf =
  (service: string) =>
  (metricName: MetricName, options: Pick<MetricProps, 'statistic' | 'period' | 'label'> = {}): Metric =>
    new Metric({
      namespace: METRIC_NAMESPACE,
      metricName,
      dimensionsMap: { [METRIC_DIMENSION]: service },
      statistic: 'Sum',
      period: FIVE_MINUTES,
      ...options,
    });

/** The parts of a stack that its alarms watch; `undefined` for one that the stack does not have. */
export interface Watched {
  readonly own: ReturnType<typeof metricsOf>;
  readonly api: Stage;
  readonly watchdog: BundledFunction;
  readonly canary: BundledFunction | undefined;
  readonly deadLetters: Queue;
  readonly intakeDeadLetters: Queue | undefined;
}

/** A client whose calls all fail, one every 90 seconds, fails three times in every five minutes. */
export const SERVER_ERRORS = 3;
/** 99.9 % of a month's responses are no 5xx: an hour with this share of 5xx uses ten times its part of the budget. */
export const FAST_BURN = 0.01;
/** Milliseconds from which responses are called slow. */
export const SLOW_MS = 1000;
/** One a second: more than a client that stumbles now and then. */
export const REFUSED = 300;
/** Sign-ins in five minutes that no person made fail. */
export const SIGN_INS_FAILED = 3;
/** Calls in five minutes that a quota refused. */
export const CALLS_THROTTLED = 20;
/** A quarter of an hour. A million records on a new table are throttled for nine minutes, which is normal. */
export const LASTING = { evaluationPeriods: 3 };

const IMPORT_PAST_DUE = 'An import has made no progress for twenty minutes although its chunks were sent again twice.';
const THEFT_SUSPECTED =
  'A spent refresh token was used, many logins failed, or many transcripts, results or mappings were read or imports reverted.';

/** A problem that lasts, and wakes somebody. */
const problem = (meaning: string) => ({ meaning, waits: false, isEvent: false });
/** Of a mapping, a client, a platform, or a capacity: the imports go on, or a client repeats its call. */
const canWait = (meaning: string) => ({ ...problem(meaning), waits: true });
const event = (meaning: string) => ({ ...problem(meaning), isEvent: true });
const eventThatWaits = (meaning: string) => ({ ...canWait(meaning), isEvent: true });

/** Each alarm, of a stack, of the account stack, or of both. */
const ALARMS = {
  ImportPastDue: problem(IMPORT_PAST_DUE),
  ImportAbandoned: event(
    'The watchdog abandoned an import after a day; its unprocessed records have the result processing_failed.',
  ),
  RecordsProcessingFailed: event('The code threw an exception on a record, whose result is processing_failed.'),
  ServerErrors: problem('The API returns 5xx.'),
  ErrorBudgetBurns: problem(
    'For two hours, more than 1 % of the responses of an API were 5xx: ten times what its objective of 99.9 % allows.',
  ),
  CallsRefused: canWait('For a quarter of an hour, an API refused a call every second: throttled, blocked, or wrong.'),
  GatewayRefuses: canWait(
    'For a quarter of an hour, API Gateway or the web ACL refused a call every second before it reached a function.',
  ),
  CallsThrottled: canWait(
    'Callers get 429 from the service: an hourly quota of a company is used up, or logins failed too often.',
  ),
  CanaryFails: problem(
    'The checks that call the API every five minutes have failed, or did not run, for a quarter of an hour.',
  ),
  TheftSuspected: event(THEFT_SUSPECTED),
  Attention: event(`One of two. ${IMPORT_PAST_DUE} Or: ${THEFT_SUSPECTED}`),
  SigningKeyUnusable: problem('The signing key is disabled, waits to be deleted, or is deleted: all logins fail.'),
  SlowResponses: canWait(
    'For a quarter of an hour, a tenth of the responses took longer than a second: ten times what their objective of 99 % allows.',
  ),
  DeadLettersWaiting: problem('A chunk of an import failed five times.'),
  IntakeDeadLettersWaiting: canWait('A message of the platform has facts that were rejected three times.'),
  WatchdogSilent: problem('The watchdog has not checked open imports for ten minutes.'),
  RecordsRejected: eventThatWaits(
    'Many records are rejected: a mapping is wrong, or the facts of the platform are missing.',
  ),
  ForeignMessages: eventThatWaits(
    'Messages that the service did not send arrived in a chunk queue. They were deleted.',
  ),
  ChunksFail: canWait('Deliveries of chunks fail and are retried.'),
  WatchdogFails: problem(
    'A watchdog crashes or runs out of time in every run, so that nothing finds imports that stopped moving.',
  ),
  MessagesWait: canWait(
    'Messages have waited for ten minutes: facts of the platform, or dead letters of chunks or of facts.',
  ),
  InternalErrors: event('An operation failed on an internal error and returned 500.'),
  DependencyDown: problem(
    'Callers get 503, because the database, the queue or the signing key is throttled or unavailable.',
  ),
  LoginsFail: eventThatWaits('Many logins fail: passwords are being guessed, or a client has a wrong one.'),
  SpentTokenUsed: event(
    'A spent refresh token was used again: it was stolen, or a client keeps old ones. Its session has ended.',
  ),
  HistoriesRead: eventThatWaits('Many transcripts, audits, results, mappings or old reports are read.'),
  ImportsReverted: eventThatWaits('Many imports are reverted.'),
  SignInsFail: problem(
    'The identity provider of a company does not respond, or refuses the service itself: nobody can sign in.',
  ),
  LoginsThrottled: canWait('Logins are refused after too many failures.'),
  ThrottledWrites: canWait('A table throttles writes.'),
  ThrottledReads: canWait('A table throttles reads.'),
  ThrottledIndexWrites: canWait('An index throttles writes.'),
  ThrottledIndexReads: canWait('An index throttles reads.'),
  AccountThrottled: problem('Lambda refuses to start functions: the concurrency of the account is used up.'),
} as const satisfies Readonly<Record<string, Pick<AlarmSpec, 'meaning' | 'waits' | 'isEvent'>>>;

export type AlarmName = keyof typeof ALARMS;

export const alarm = (name: AlarmName, metric: IMetric, threshold: number, how: How = {}): AlarmSpec => ({
  name,
  ...ALARMS[name],
  metric,
  threshold,
  ...how,
});

/** A stack has only alarms that no other implies, because each has a price; the account stack has the others once. */
export function alarmList(watched: Watched, { stage, objectives, signIn }: Settings): readonly AlarmSpec[] {
  const { own, api, canary } = watched;
  return [
    alarm('ServerErrors', api.metricServerError({ statistic: 'Sum', period: FIVE_MINUTES }), SERVER_ERRORS),
    ...(stage === 'sandbox' ? [alarm('Attention', own('Attention'), POINTS_THAT_RING)] : productionAlarms(watched)),
    ...(stage === 'production' && signIn !== undefined
      ? [alarm('SignInsFail', own('SignInsFailed'), SIGN_INS_FAILED)]
      : []),
    ...(objectives === true ? objectiveAlarms(watched) : []),
    // Three runs in a row: one call that fails is nothing that a person must look at.
    ...(canary === undefined ? [] : [silent('CanaryFails', canary, LASTING)]),
  ];
}

/** The objectives of success and of latency, and refused calls: also those that API Gateway throttles, which no function sees. */
function objectiveAlarms({ own, api }: Watched): AlarmSpec[] {
  const errors = api.metricServerError({ statistic: 'Average', period: Duration.hours(1) });
  const slowest = api.metricLatency({ statistic: 'p90', period: FIVE_MINUTES });
  const refused = api.metricClientError({ statistic: 'Sum', period: FIVE_MINUTES });
  return [
    alarm('ErrorBudgetBurns', errors, FAST_BURN, { evaluationPeriods: 2 }),
    alarm('SlowResponses', slowest, SLOW_MS, { ...LASTING, evaluateLowSampleCountPercentile: 'ignore' }),
    alarm('CallsRefused', refused, REFUSED, LASTING),
    alarm('GatewayRefuses', unseenCalls(api), REFUSED, LASTING),
    alarm('CallsThrottled', own('CallsThrottled'), CALLS_THROTTLED),
  ];
}

/** Calls that no function saw: each call counts, but only one that reached a function has a latency of the integration. */
function unseenCalls(api: Stage): IMetric {
  const counted = { statistic: 'SampleCount', period: FIVE_MINUTES };
  return new MathExpression({
    expression: 'asked - FILL(reached, 0)',
    usingMetrics: { asked: api.metricCount(counted), reached: api.metricIntegrationLatency(counted) },
    period: FIVE_MINUTES,
  });
}

function productionAlarms({ own, watchdog, deadLetters, intakeDeadLetters }: Watched): AlarmSpec[] {
  return [
    alarm('ImportPastDue', own('ImportsStuck', { statistic: 'Maximum' }), 1),
    alarm('TheftSuspected', own('Suspicion'), POINTS_THAT_RING),
    alarm('DeadLettersWaiting', waiting(deadLetters), 1),
    ...(intakeDeadLetters === undefined ? [] : [alarm('IntakeDeadLettersWaiting', waiting(intakeDeadLetters), 1)]),
    alarm('ImportAbandoned', own('ImportsAbandoned'), 1),
    alarm('RecordsProcessingFailed', own('RecordsProcessingFailed'), 1),
    silent('WatchdogSilent', watchdog, { evaluationPeriods: 2 }),
    alarm('SigningKeyUnusable', own('SigningKeyUnusable'), 1),
  ];
}

const waiting = (queue: Watched['deadLetters']): IMetric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: ONE_MINUTE });

/** No run succeeded, or none was started: Lambda sends 0 or 1 for each. One metric is cheaper than two. */
const silent = (name: AlarmName, scheduled: BundledFunction, how: How): AlarmSpec =>
  alarm(name, scheduled.metricErrors({ statistic: 'Minimum', period: FIVE_MINUTES }), 1, {
    ...how,
    treatMissingData: TreatMissingData.BREACHING,
  });

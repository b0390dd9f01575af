/** Every alarm as data. Each reports one problem that needs a person, and `docs/runbook.md` has a section for each. */
import { Duration } from 'aws-cdk-lib/core';
import { ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../functions/runtime/metric-names.ts';
import { accountMetric, type ThrottleEvents, throttles, type Watched } from './metrics.ts';

export interface AlarmSpec {
  /** Also the heading of its section in the runbook: `DeadLettersWaiting` is “Dead letters waiting”. */
  readonly name: string;
  readonly meaning: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of consecutive periods; default: one. */
  readonly periods?: number;
  readonly comparison?: ComparisonOperator;
  readonly missing?: TreatMissingData;
}

const ONE_MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** A million records on a new table are throttled for nine minutes, and nothing is wrong. */
const LASTING_PERIODS = 3;

/** Several times what it takes to process a backlog of twenty large imports. */
const OLDEST_CHUNK_SECONDS = 600;

export function alarmList(watched: Watched): readonly AlarmSpec[] {
  return [...chunkAlarms(watched), ...importAlarms(watched), ...serviceAlarms(watched), ...loginAlarms(watched)];
}

/** Throttled events of the table and its indexes together: a throttled index holds up the writes to the table. */
function throttledEvents({ table }: Watched, name: ThrottleEvents): MathExpression {
  const usingMetrics = throttles(table, name);
  // Nothing is counted for what is not throttled, and a sum with a missing part is missing itself.
  const expression = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ label: name, expression: expression.join(' + '), usingMetrics, period: FIVE_MINUTES });
}

function chunkAlarms({ own, queue, deadLetters, intakeDeadLetters, processor }: Watched): AlarmSpec[] {
  return [
    {
      name: 'DeadLettersWaiting',
      meaning: 'A chunk of an import failed five times.',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: ONE_MINUTE }),
      threshold: 1,
    },
    {
      name: 'IntakeDeadLettersWaiting',
      meaning: 'A message of the platform has facts that were rejected three times.',
      metric: intakeDeadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: ONE_MINUTE }),
      threshold: 1,
    },
    {
      name: 'ForeignMessages',
      meaning: 'Somebody else sent messages to the chunk queue. They were deleted.',
      metric: own.metric(METRIC.foreignMessages),
      threshold: 1,
    },
    {
      name: 'ChunksWaitLong',
      meaning:
        'A chunk has waited for ten minutes: imports arrive faster than they are processed, or are not processed.',
      metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', period: ONE_MINUTE }),
      threshold: OLDEST_CHUNK_SECONDS,
      periods: 5,
    },
    {
      name: 'ChunksFail',
      meaning: 'Deliveries of chunks fail and are retried.',
      metric: own.metric(METRIC.chunksFailed),
      threshold: 5,
    },
    {
      name: 'ProcessorErrors',
      meaning: 'The processor crashed or ran out of time.',
      metric: processor.metricErrors({ period: FIVE_MINUTES }),
      threshold: 1,
    },
  ];
}

function importAlarms({ own }: Watched): AlarmSpec[] {
  return [
    {
      name: 'ImportPastDue',
      meaning: 'An import has made no progress for twenty minutes although its chunks were sent again twice.',
      metric: own.metric(METRIC.importsStuck, { statistic: 'Maximum' }),
      threshold: 1,
    },
    {
      name: 'ImportAbandoned',
      meaning:
        'The watchdog abandoned an import after a day; its unprocessed records have the result processing_failed.',
      metric: own.metric(METRIC.importsAbandoned),
      threshold: 1,
    },
    {
      name: 'RecordsProcessingFailed',
      meaning: 'The code threw an exception on a record, whose result is processing_failed.',
      metric: own.metric(METRIC.recordsProcessingFailed),
      threshold: 1,
    },
    {
      name: 'WatchdogSilent',
      meaning: 'The watchdog has not checked open imports for ten minutes.',
      metric: own.metric(METRIC.importsOpen, { statistic: 'SampleCount' }),
      threshold: 1,
      periods: 2,
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
    },
  ];
}

function serviceAlarms(watched: Watched): AlarmSpec[] {
  const { own, api, login } = watched;
  return [
    {
      name: 'InternalErrors',
      meaning: 'An operation failed on an internal error and returned 500.',
      metric: own.metric(METRIC.internalErrors),
      threshold: 1,
    },
    {
      name: 'ServerErrors',
      meaning: 'The API returns 5xx.',
      metric: api.metricServerError({ statistic: 'Sum', period: FIVE_MINUTES }),
      threshold: 5,
    },
    {
      name: 'DependencyDown',
      meaning: 'Callers get 503, because the database, the queue or the signing key is throttled or unavailable.',
      metric: own.metric(METRIC.temporarilyUnavailable),
      threshold: 10,
    },
    {
      name: 'ThrottledWrites',
      meaning: 'The table or one of its indexes has throttled writes for a quarter of an hour.',
      metric: throttledEvents(watched, 'WriteThrottleEvents'),
      threshold: 100,
      periods: LASTING_PERIODS,
    },
    {
      name: 'ThrottledReads',
      meaning: 'The table or one of its indexes has throttled reads for a quarter of an hour.',
      metric: throttledEvents(watched, 'ReadThrottleEvents'),
      threshold: 100,
      periods: LASTING_PERIODS,
    },
    {
      name: 'SigningKeyUnusable',
      meaning: 'The signing key is disabled, waits to be deleted, or is deleted: nobody can log in.',
      metric: own.metric(METRIC.signingKeyUnusable),
      threshold: 1,
    },
    {
      name: 'AccountThrottled',
      meaning: 'Lambda refuses to start functions: the concurrency of the account is used up.',
      metric: accountMetric('Throttles'),
      threshold: 1,
      periods: 2,
    },
    {
      name: 'LoginStarved',
      meaning: 'Lambda has no concurrency left for logins.',
      metric: login.metricThrottles({ period: FIVE_MINUTES }),
      threshold: 1,
    },
  ];
}

function loginAlarms({ own }: Watched): AlarmSpec[] {
  return [
    {
      name: 'LoginsFail',
      meaning: 'Many logins fail: somebody is guessing passwords, or a client has a wrong one.',
      metric: own.metric(METRIC.loginsRefused),
      threshold: 50,
    },
    {
      name: 'LoginsThrottled',
      meaning: 'Logins are refused after too many failures.',
      metric: own.metric(METRIC.loginsThrottled),
      threshold: 20,
    },
  ];
}

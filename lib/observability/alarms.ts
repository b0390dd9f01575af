/** The alarms of one stack as data. Each reports one problem that needs a person, and `docs/runbook.md` has a section for each. */
import { Duration } from 'aws-cdk-lib/core';
import { ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../functions/runtime/metric-names.ts';
import type { Stage } from '../settings.ts';
import type { Watched } from './metrics.ts';

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

export const ONE_MINUTE = Duration.minutes(1);
export const FIVE_MINUTES = Duration.minutes(5);

/** A client whose calls all fail, one every 90 seconds, fails three times in every five minutes. */
export const SERVER_ERRORS = 3;

/** The meaning of each alarm, in every stack. */
export const MEANING = {
  ImportPastDue: 'An import has made no progress for twenty minutes although its chunks were sent again twice.',
  ImportAbandoned:
    'The watchdog abandoned an import after a day; its unprocessed records have the result processing_failed.',
  RecordsProcessingFailed: 'The code threw an exception on a record, whose result is processing_failed.',
  ServerErrors: 'The API returns 5xx.',
  SigningKeyUnusable: 'The signing key is disabled, waits to be deleted, or is deleted: all logins fail.',
} as const;

/**
 * An alarm has a price in each stack, so a stack has only alarms that no other alarm implies: in every fault, an import does
 * not end or the API fails. The account stack has the others, once for all stacks (`lib/account/fleet-alarms.ts`).
 */
export function alarmList(watched: Watched, stage: Stage): readonly AlarmSpec[] {
  const { own, api } = watched;
  const everywhere: AlarmSpec[] = [
    {
      name: 'ImportPastDue',
      meaning: MEANING.ImportPastDue,
      metric: own.metric(METRIC.importsStuck, { statistic: 'Maximum' }),
      threshold: 1,
    },
    {
      name: 'ServerErrors',
      meaning: MEANING.ServerErrors,
      metric: api.metricServerError({ statistic: 'Sum', period: FIVE_MINUTES }),
      threshold: SERVER_ERRORS,
    },
  ];
  return stage === 'sandbox' ? everywhere : [...everywhere, ...productionAlarms(watched)];
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
      metric: completedRuns(watchdog),
      threshold: 1,
      periods: 2,
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
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

/** Lambda's own counts: a metric that the watchdog counted in every run would cost more than its alarm. */
function completedRuns(watchdog: Watched['watchdog']): MathExpression {
  const options = { period: FIVE_MINUTES };
  return new MathExpression({
    label: 'completed runs',
    expression: 'FILL(invocations, 0) - FILL(errors, 0)',
    usingMetrics: { invocations: watchdog.metricInvocations(options), errors: watchdog.metricErrors(options) },
    period: FIVE_MINUTES,
  });
}

import { RECORD_ERRORS, RECORD_WARNINGS, codesOf, type RecordErrorCode, type WarningCode } from '../shared/codes.ts';

/** The counters and times of the service, beside those of the codes below. A name that is not here does not compile. */
export const METRICS = [
  'DryRunsAnswered',
  'ImportsAccepted',
  'ImportsReplayed',
  'ImportsSucceeded',
  'ImportsPartlySucceeded',
  'ImportsFailed',
  'ImportsCancelled',
  'ImportsReverted',
  'RecordsApplied',
  'RecordsRejected',
  'RecordsProcessingFailed',
  'TimeToTerminal',
  'ChunksRetried',
  'ChunksFailed',
  'ChunksResent',
  'ImportsOpen',
  'ImportsPastDue',
  'ImportsStuck',
  'ImportsAbandoned',
  'ForeignMessages',
  'LoginsSucceeded',
  'LoginsRefused',
  'LoginsThrottled',
  'SignInsRefused',
  'SignInsFailed',
  'TokensRefused',
  'SpentTokensUsed',
  'HistoryReads',
  'Suspicion',
  'Attention',
  'CallsThrottled',
  'InternalErrors',
  'TemporarilyUnavailable',
  'SigningKeyUnusable',
] as const;

/** Rejected records are counted by their first error, under its code (§7.3). */
export const REJECTIONS = /* @__PURE__ */ codesOf(RECORD_ERRORS);

/** Warnings are counted under their code (§7.4). */
export const WARNINGS = /* @__PURE__ */ codesOf(RECORD_WARNINGS);

/** The metrics above, and a counter for each error and each warning of a record. */
export type MetricName = (typeof METRICS)[number] | RecordErrorCode | WarningCode;

/** Shared by all stacks of an account, so that one dashboard can search them. */
export const METRIC_NAMESPACE = 'CourseProgressMigration';

/** What the checker of an account stack counts for each stack that is silent (`bin/operate/verify/check-fleet.ts`). */
export const SILENT_METRIC = 'StackSilent';
/** What it counts of each stack while calls are refused: those of a quarter of an hour that reached no function. */
export const GATEWAY_METRIC = 'GatewayRefuses';

/** The one dimension: each deployed stack has metrics of its own. */
export const METRIC_DIMENSION = 'service';

/** Points of five minutes from which an alarm rings. */
export const POINTS_THAT_RING = 1000;

type Points = Readonly<Partial<Record<MetricName, number>>>;

const THEFT: Points = {
  SpentTokensUsed: POINTS_THAT_RING,
  HistoryReads: 1,
  ImportsReverted: 20,
  LoginsRefused: 20,
};

/** An alarm has a price for each metric, so a stack has one sum of all signs of a theft. */
export const POINTS: readonly (readonly [sum: MetricName, pointsOf: Points])[] = [
  ['Suspicion', THEFT],
  ['Attention', { ...THEFT, ImportsStuck: POINTS_THAT_RING }],
];

/** Counts a metric, and its points in each sum that it is a sign for. */
export function countWithPoints(
  telemetry: { readonly count: (metric: MetricName, value?: number) => void },
  metric: MetricName,
  value = 1,
): void {
  telemetry.count(metric, value);
  for (const [sum, pointsOf] of POINTS) {
    const points = pointsOf[metric];
    if (points !== undefined) telemetry.count(sum, points * value);
  }
}

/** Names of the metrics, shared by those who count and those who draw or alarm. Each stands for itself, and for its kinds. */
export const METRIC = {
  importsAccepted: 'ImportsAccepted',
  importsReplayed: 'ImportsReplayed',
  /** Kinds: `success`, `partial_success`, `error`. */
  importsSettled: 'ImportsSettled',
  recordsApplied: 'RecordsApplied',
  /** Kinds: the error codes of §7.3. */
  recordsRejected: 'RecordsRejected',
  /** Kinds: the warning codes of §7.4. */
  recordsWarned: 'RecordsWarned',
  recordsProcessingFailed: 'RecordsProcessingFailed',
  timeToTerminal: 'TimeToTerminal',
  chunksRetried: 'ChunksRetried',
  chunksFailed: 'ChunksFailed',
  chunksResent: 'ChunksResent',
  importsPastDue: 'ImportsPastDue',
  importsStuck: 'ImportsStuck',
  importsClosed: 'ImportsClosed',
  loginsSucceeded: 'LoginsSucceeded',
  loginsRefused: 'LoginsRefused',
  loginsThrottled: 'LoginsThrottled',
  internalErrors: 'InternalErrors',
  temporarilyUnavailable: 'TemporarilyUnavailable',
} as const;

export type MetricName = (typeof METRIC)[keyof typeof METRIC];

export const METRIC_NAMESPACE = 'CourseProgressMigration';

/** The one dimension: each deployed stack counts for itself. */
export const METRIC_DIMENSION = 'service';

/** Where the kinds of a metric stand, each under its own name: `user_not_found` in `CourseProgressMigration/RecordsRejected`. */
export const kindsNamespace = (metric: MetricName): string => `${METRIC_NAMESPACE}/${metric}`;

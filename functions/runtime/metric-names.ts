/** Names of the metrics, shared by those who count and those who draw or alarm. */
export const METRIC = {
  importsAccepted: 'ImportsAccepted',
  importsReplayed: 'ImportsReplayed',
  importsSettled: 'ImportsSettled',
  recordsApplied: 'RecordsApplied',
  recordsRejected: 'RecordsRejected',
  recordsProcessingFailed: 'RecordsProcessingFailed',
  timeToTerminal: 'TimeToTerminal',
  chunksProcessed: 'ChunksProcessed',
  chunksRetried: 'ChunksRetried',
  chunksFailed: 'ChunksFailed',
  chunksResent: 'ChunksResent',
  importsPastDue: 'ImportsPastDue',
  importsClosed: 'ImportsClosed',
  loginsSucceeded: 'LoginsSucceeded',
  loginsRefused: 'LoginsRefused',
  loginsThrottled: 'LoginsThrottled',
  internalErrors: 'InternalErrors',
  temporarilyUnavailable: 'TemporarilyUnavailable',
} as const;

export type MetricName = (typeof METRIC)[keyof typeof METRIC];

/** Names of the metrics, shared by the functions that count, the dashboard and the alarms. */
import { RECORD_ERRORS, RECORD_WARNINGS, codesOf } from '../shared/codes.ts';
import type { RecordErrorCode, WarningCode } from '../shared/codes.ts';

export const METRIC = {
  dryRunsAnswered: 'DryRunsAnswered',
  importsAccepted: 'ImportsAccepted',
  importsReplayed: 'ImportsReplayed',
  importsSucceeded: 'ImportsSucceeded',
  importsPartlySucceeded: 'ImportsPartlySucceeded',
  importsFailed: 'ImportsFailed',
  importsCancelled: 'ImportsCancelled',
  importsReverted: 'ImportsReverted',
  recordsApplied: 'RecordsApplied',
  recordsProcessingFailed: 'RecordsProcessingFailed',
  timeToTerminal: 'TimeToTerminal',
  chunksRetried: 'ChunksRetried',
  chunksFailed: 'ChunksFailed',
  chunksResent: 'ChunksResent',
  importsOpen: 'ImportsOpen',
  importsPastDue: 'ImportsPastDue',
  importsStuck: 'ImportsStuck',
  importsAbandoned: 'ImportsAbandoned',
  foreignMessages: 'ForeignMessages',
  loginsSucceeded: 'LoginsSucceeded',
  loginsRefused: 'LoginsRefused',
  loginsThrottled: 'LoginsThrottled',
  callsThrottled: 'CallsThrottled',
  internalErrors: 'InternalErrors',
  temporarilyUnavailable: 'TemporarilyUnavailable',
  signingKeyUnusable: 'SigningKeyUnusable',
} as const;

/** Rejected records are counted by their first error, under its code (§7.3). */
export const REJECTIONS = /* @__PURE__ */ codesOf(RECORD_ERRORS);

/** Warnings are counted under their code (§7.4). */
export const WARNINGS = /* @__PURE__ */ codesOf(RECORD_WARNINGS);

export type MetricName = (typeof METRIC)[keyof typeof METRIC] | RecordErrorCode | WarningCode;

export const METRIC_NAMESPACE = 'CourseProgressMigration';

/** The one dimension: each deployed stack has metrics of its own. */
export const METRIC_DIMENSION = 'service';

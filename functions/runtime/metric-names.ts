/** Names of the metrics, shared by those who count and those who draw or alarm. */
import type { RecordErrorCode, WarningCode } from '../shared/codes.ts';

export const METRIC = {
  dryRunsAnswered: 'DryRunsAnswered',
  importsAccepted: 'ImportsAccepted',
  importsReplayed: 'ImportsReplayed',
  importsSucceeded: 'ImportsSucceeded',
  importsPartlySucceeded: 'ImportsPartlySucceeded',
  importsFailed: 'ImportsFailed',
  recordsApplied: 'RecordsApplied',
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

/** Rejected records are counted by their first error, under its code (§7.3). */
export const REJECTIONS = Object.keys({
  invalid_record: true,
  duplicate_external_record_id: true,
  user_not_found: true,
  user_inactive: true,
  unsupported_content_type: true,
  course_not_in_catalog: true,
  external_user_id_not_mapped: true,
  external_course_id_not_mapped: true,
  identifier_mismatch: true,
  invalid_completion_pct: true,
  invalid_date_format: true,
  missing_progress: true,
  processing_failed: true,
} satisfies Record<RecordErrorCode, true>) as readonly RecordErrorCode[];

/** Warnings are counted under their code (§7.4). */
export const WARNINGS = Object.keys({
  assessment_ignored: true,
  completion_pct_assumed: true,
  completion_pct_derived: true,
  completion_pct_adjusted: true,
  class_not_in_course: true,
  duplicate_class_id: true,
  native_progress_kept: true,
  unknown_field_ignored: true,
} satisfies Record<WarningCode, true>) as readonly WarningCode[];

export type MetricName = (typeof METRIC)[keyof typeof METRIC] | RecordErrorCode | WarningCode;

export const METRIC_NAMESPACE = 'CourseProgressMigration';

/** The one dimension: each deployed stack counts for itself. */
export const METRIC_DIMENSION = 'service';

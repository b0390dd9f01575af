/** Metrics under the codes of records, and where CloudWatch keeps all of them. */
import type * as METRIC from './metrics.ts';
import { RECORD_ERRORS, RECORD_WARNINGS, codesOf } from '../shared/codes.ts';
import type { RecordErrorCode, WarningCode } from '../shared/codes.ts';

/** Rejected records are counted by their first error, under its code (§7.3). */
export const REJECTIONS = /* @__PURE__ */ codesOf(RECORD_ERRORS);

/** Warnings are counted under their code (§7.4). */
export const WARNINGS = /* @__PURE__ */ codesOf(RECORD_WARNINGS);

export type MetricName = (typeof METRIC)[keyof typeof METRIC] | RecordErrorCode | WarningCode;

export const METRIC_NAMESPACE = 'CourseProgressMigration';

/** The one dimension: each deployed stack has metrics of its own. */
export const METRIC_DIMENSION = 'service';

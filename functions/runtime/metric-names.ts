/** Metrics under the codes of records, and where CloudWatch keeps all of them. */
import type * as METRIC from './metrics.ts';
import {
  attention,
  historyReads,
  importsReverted,
  importsStuck,
  loginsRefused,
  spentTokensUsed,
  suspicion,
} from './metrics.ts';
import { RECORD_ERRORS, RECORD_WARNINGS, codesOf, type RecordErrorCode, type WarningCode } from '../shared/codes.ts';

/** Rejected records are counted by their first error, under its code (§7.3). */
export const REJECTIONS = /* @__PURE__ */ codesOf(RECORD_ERRORS);

/** Warnings are counted under their code (§7.4). */
export const WARNINGS = /* @__PURE__ */ codesOf(RECORD_WARNINGS);

export type MetricName = (typeof METRIC)[keyof typeof METRIC] | RecordErrorCode | WarningCode;

export const METRIC_NAMESPACE = 'CourseProgressMigration';

/** The one dimension: each deployed stack has metrics of its own. */
export const METRIC_DIMENSION = 'service';

/** Points of five minutes from which an alarm rings. */
export const POINTS_THAT_RING = 1000;

type Points = Readonly<Partial<Record<MetricName, number>>>;

const THEFT: Points = {
  [spentTokensUsed]: POINTS_THAT_RING,
  [historyReads]: 1,
  [importsReverted]: 20,
  [loginsRefused]: 20,
};

/** An alarm has a price for each metric, so a stack has one sum of all signs of a theft. */
export const POINTS: readonly (readonly [sum: MetricName, pointsOf: Points])[] = [
  [suspicion, THEFT],
  [attention, { ...THEFT, [importsStuck]: POINTS_THAT_RING }],
];

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

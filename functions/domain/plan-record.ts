import { externalRecordIdOf } from './batch.ts';
import type { Problem } from './codes.ts';
import type { Instant, LearnerCourse, Pair, PlannedRecord } from './model.ts';
import { judgeProgress } from './judge-progress.ts';
import { OVERSIZED, type ParsedRecord } from './parse-record.ts';
import { planAccepted } from './plan-accepted.ts';
import { errorResult, PROCESSING_FAILED } from './record-result.ts';
import type { Resolution } from './resolution.ts';

export interface PlanContext {
  readonly import_id: string;
  /** The import's `created_at`, which missing dates default to. */
  readonly imported_at: Instant;
  /** Hash of a text, as lower-case hex. */
  hash(text: string): string;
  /** Dry run only: the pair this `external_record_id` is bound to already. */
  readonly heldBy?: Pair;
  readonly alongside?: Alongside;
}

/** What earlier records of the same chunk add to the pair; it counts against the pair's limits only. */
export interface Alongside {
  readonly contributions: number;
  readonly bytes: number;
}

/**
 * Decides about one record (§4.3): its result, and what applying it writes. All its problems are reported at once. Depends on
 * its arguments alone, so a dry run and the real run decide alike; never throws, whatever was sent.
 *
 * @param stored what is stored about the resolved pair; contributions of this very import are left out of sight
 */
export function planRecord(
  parsed: ParsedRecord,
  resolution: Resolution,
  stored: LearnerCourse | undefined,
  context: PlanContext,
): PlannedRecord {
  const { user, course } = resolution;
  const judged = course && judgeProgress(parsed, course);
  const unjudged = judged && 'problem' in judged ? [judged.problem] : [];
  const problems = [...parsed.problems, ...resolution.problems, ...unjudged];
  const { external_record_id } = parsed;
  const isDecided = judged !== undefined && !('problem' in judged);
  if (problems.length > 0 || external_record_id === null || !user || !course || !isDecided)
    return rejected(parsed, problems);
  const pair = { user_id: user.user_id, platform_course_id: course.platform_course_id };
  return planAccepted({ external_record_id, parsed, judged, pair }, stored, context);
}

/** §7.3: "the same external_record_id appears twice in one batch"; nothing else is said of the later ones. */
export function planDuplicate(raw: unknown, index: number): PlannedRecord {
  const message = 'external_record_id appears earlier in this batch';
  return planRejected(raw, index, { error_code: 'duplicate_external_record_id', message, field: 'external_record_id' });
}

/** A record that was too large to be kept: all that is known of it is its id. */
export function planOversized(raw: unknown, index: number): PlannedRecord {
  return planRejected(raw, index, OVERSIZED);
}

/** Rule 13: our own code failed on this record. */
export function planProcessingFailed(raw: unknown, index: number): PlannedRecord {
  return planRejected(raw, index, PROCESSING_FAILED);
}

function planRejected(raw: unknown, index: number, problem: Problem): PlannedRecord {
  return { result: errorResult({ index, external_record_id: externalRecordIdOf(raw) }, [problem]) };
}

function rejected(parsed: ParsedRecord, problems: readonly Problem[]): PlannedRecord {
  return { result: errorResult(parsed, problems.length > 0 ? problems : [PROCESSING_FAILED]) };
}

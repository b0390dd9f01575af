import { contributionOf, recordContent } from './contribution.ts';
import { evaluateProgress } from './evaluate.ts';
import type { EvaluatedProgress } from './evaluate.ts';
import { externalRecordIdOf, learnerCourseId } from './identifiers.ts';
import { effectiveProgress } from './join.ts';
import type { PairUsage } from './pair-limits.ts';
import { pairLimitProblems, replacedBy } from './pair-limits.ts';
import { OVERSIZED, unknownFieldWarning } from './parse.ts';
import type { ParsedRecord } from './parse.ts';
import type { Resolution } from './resolve.ts';
import { PROCESSING_FAILED, conflictResult, errorResult, successResult } from './result.ts';
import { listed } from './text.ts';
import type { Problem, Warning } from '../shared/codes.ts';
import type { Contribution, Instant, CourseHistory, LearnerCourse, PlannedRecord, Progress } from '../shared/model.ts';

export interface PlanContext {
  readonly import_id: string;
  /** The import's `created_at`, which missing dates default to. */
  readonly imported_at: Instant;
  /** Hash of a text, as lower-case hex. */
  hash(text: string): string;
  /** Dry run only: the pair this `external_record_id` is bound to already. */
  readonly heldBy?: LearnerCourse;
  readonly earlierInChunk?: EarlierInChunk;
}

/** What earlier records of the same chunk add to the pair; it counts against the pair's limits only. */
export interface EarlierInChunk {
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
  stored: CourseHistory | undefined,
  context: PlanContext,
): PlannedRecord {
  const { user, course } = resolution;
  const judged = course && evaluateProgress(parsed, course);
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

/** A record without problems of its own, and the (user, course) pair it belongs to. */
export interface SoundRecord {
  readonly external_record_id: string;
  readonly parsed: ParsedRecord;
  readonly judged: EvaluatedProgress;
  readonly pair: LearnerCourse;
}

/**
 * What a sound record does to its pair (rule 12): known with the same content it is `unchanged` and nothing is written, known
 * with other content it is `updated`, else it is `applied`; unless the pair is full, or the id is bound to another pair.
 */
export function planAccepted(
  sound: SoundRecord,
  stored: CourseHistory | undefined,
  context: PlanContext,
): PlannedRecord {
  const { parsed, judged, pair } = sound;
  const native = stored?.native ?? null;
  const known = (stored?.contributions ?? []).filter(({ import_id }) => import_id !== context.import_id);
  const ofThisRecord = known.filter(({ external_record_id }) => external_record_id === sound.external_record_id);
  const contribution = newContribution(sound, context);
  const warnings = [
    ...judged.warnings,
    ...nativeProgressKept(native, judged),
    ...unknownFieldWarning(parsed.unknown_members),
  ];

  if (ofThisRecord.some(({ content_hash }) => content_hash === contribution.content_hash)) {
    return { result: successResult(parsed, 'unchanged', warnings, pair, effectiveProgress(native, known)) };
  }
  const isFirst = ofThisRecord.length === 0;
  const progress = effectiveProgress(native, [...known, contribution]);
  const result = successResult(parsed, isFirst ? 'applied' : 'updated', warnings, pair, progress);
  const replaced = replacedBy(contribution, known);
  const beyondLimits = pairLimitProblems(contribution, replaced, heldAlready(known, stored, context));
  if (beyondLimits.length > 0) return { result: errorResult(parsed, beyondLimits) };
  if (isBoundElsewhere(context.heldBy, pair)) return { result: conflictResult(result, context.heldBy) };

  const replaces = replaced.map(({ import_id, index }) => ({ import_id, index }));
  return { result, write: { ...pair, claim: isFirst, contribution, replaces, exists: stored !== undefined } };
}

function newContribution(
  { external_record_id, parsed, judged, pair }: SoundRecord,
  context: PlanContext,
): Contribution {
  const { import_id, imported_at } = context;
  const content_hash = context.hash(recordContent(parsed, pair));
  return contributionOf({ external_record_id, parsed, judged, import_id, imported_at, content_hash });
}

function isBoundElsewhere(heldBy: LearnerCourse | undefined, pair: LearnerCourse): heldBy is LearnerCourse {
  return heldBy !== undefined && learnerCourseId(heldBy) !== learnerCourseId(pair);
}

function heldAlready(
  known: readonly Contribution[],
  stored: CourseHistory | undefined,
  { earlierInChunk }: PlanContext,
): PairUsage {
  return {
    contributions: known.length + (earlierInChunk?.contributions ?? 0),
    bytes: (stored?.bytes ?? 0) + (earlierInChunk?.bytes ?? 0),
  };
}

/**
 * §4.3: "Non-destructive merge: the maximum is kept per dimension (warning `native_progress_kept`)". Warned where organic
 * progress stands above the record in a dimension that the record itself speaks of.
 */
export function nativeProgressKept(native: Progress | null, record: EvaluatedProgress): Warning[] {
  if (native === null) return [];
  const kept = [
    ...higherPercentage(native, record),
    ...furtherClasses(native, record),
    ...certification(native, record),
  ];
  if (kept.length === 0) return [];
  const message = `the platform's own progress is kept: ${kept.join('; ')}`;
  return [{ warning_code: 'native_progress_kept', message, field: 'progress' }];
}

function higherPercentage(native: Progress, { completion_pct }: EvaluatedProgress): string[] {
  const isHigher = native.completion_pct > completion_pct;
  return isHigher ? [`completion_pct ${native.completion_pct} over ${completion_pct}`] : [];
}

function furtherClasses(native: Progress, { viewed }: EvaluatedProgress): string[] {
  if (viewed === undefined) return [];
  const listedIds = new Set(viewed.map(({ platform_class_id }) => platform_class_id));
  const further = native.classes.map(({ platform_class_id }) => platform_class_id).filter((id) => !listedIds.has(id));
  return further.length === 0 ? [] : [`viewed classes ${listed(further)}`];
}

function certification(native: Progress, { assessment }: EvaluatedProgress): string[] {
  const isContradicted = assessment !== undefined && assessment.status !== 'passed';
  return native.approved_course === 1 && isContradicted ? ['the certification'] : [];
}

/** The decision about one record (§4.3): its result, and what applying it writes. */
import { contributionOf } from './contribution.ts';
import type { ImportContext, ValidRecord } from './contribution.ts';
import { evaluateProgress } from './evaluate.ts';
import type { EvaluatedProgress, Evaluation } from './evaluate.ts';
import { learnerCourseId } from './identifiers.ts';
import { joinStates, joinedState, stateOf, toProgress } from './join.ts';
import type { ProgressState } from './join.ts';
import { OVERSIZED } from './parse.ts';
import type { ParsedRecord } from './parse.ts';
import { firstProblems, problem } from './problems.ts';
import type { Resolution } from './resolve.ts';
import { PROCESSING_FAILED, conflictResult, errorResult, rejectedRecord, successResult } from './result.ts';
import { listed } from './text.ts';
import type { Warning } from '../shared/codes.ts';
import { MAX_PROBLEMS_PER_RECORD } from '../shared/limits.ts';
import type { Contribution, CourseHistory, LearnerCourse, PlannedRecord, Progress } from '../shared/model.ts';

export interface PlanContext extends ImportContext {
  /** Dry run only: the user and course that this `external_record_id` already belongs to. */
  readonly boundTo?: LearnerCourse;
}

/**
 * Decides about one record (§4.3) and reports all its problems at once, up to 100. Depends on its arguments alone, so a dry run and the
 * real run decide alike. Never throws, whatever was sent.
 *
 * @param stored what is stored about the resolved user and course; contributions of this very import are disregarded
 */
export function planRecord(
  parsed: ParsedRecord,
  resolution: Resolution,
  stored: CourseHistory | undefined,
  context: PlanContext,
): PlannedRecord {
  const { user, course } = resolution;
  const evaluation: Evaluation = course ? evaluateProgress(parsed, course) : { problems: [] };
  const problems = [...parsed.problems, ...resolution.problems, ...evaluation.problems];
  if (problems.length > 0) return { result: errorResult(parsed, firstProblems(problems, MAX_PROBLEMS_PER_RECORD)) };
  const { external_record_id } = parsed;
  const evaluated = evaluation.progress;
  if (external_record_id === null || !user || !course || !evaluated)
    return { result: errorResult(parsed, [PROCESSING_FAILED]) };
  const learnerCourse = { user_id: user.user_id, platform_course_id: course.platform_course_id };
  return planValid({ external_record_id, parsed, evaluated, learnerCourse }, stored, context);
}

/** §7.3: "the same external_record_id appears twice in one batch"; nothing else is reported of the later ones. */
export function planDuplicate(raw: unknown, index: number): PlannedRecord {
  const field = 'external_record_id';
  const rule = 'appears earlier in this batch; only the first record with this id is processed';
  return rejectedRecord(raw, index, problem('duplicate_external_record_id', field, rule));
}

/** A record that was too large to be kept: only its id is known. */
export function planOversized(raw: unknown, index: number): PlannedRecord {
  return rejectedRecord(raw, index, OVERSIZED);
}

/** Rule 13: our own code failed on this record. */
export function planProcessingFailed(raw: unknown, index: number): PlannedRecord {
  return rejectedRecord(raw, index, PROCESSING_FAILED);
}

/**
 * What a valid record does to its learner course (rule 12). If its id is known with the same content it is `unchanged` and
 * relies on the import that wrote it; if it is known with other content it is `updated`; else it is `applied`. It is rejected if the id
 * belongs to another learner course.
 */
function planValid(record: ValidRecord, stored: CourseHistory | undefined, context: PlanContext): PlannedRecord {
  const { parsed, evaluated, learnerCourse } = record;
  const native = stored?.native ?? null;
  const known = knownBefore(context.import_id, stored);
  const ofThisRecord = known.contributions.filter((each) => each.external_record_id === record.external_record_id);
  const contribution = contributionOf(record, context);
  const warnings = [...evaluated.warnings, ...nativeProgressKept(native, evaluated), ...parsed.ignored];

  const write = { ...learnerCourse, claim: false, contribution, items: stored?.items ?? 0 };
  const same = ofThisRecord.find(({ content_hash }) => content_hash === contribution.content_hash);
  if (same !== undefined) {
    const progress = known.state && toProgress(known.state);
    const unchanged = successResult(parsed, 'unchanged', warnings, learnerCourse, progress);
    return { result: unchanged, write, relies_on: same.import_id };
  }
  const isFirst = ofThisRecord.length === 0;
  const own = stateOf(contribution);
  const progress = toProgress(known.state === null ? own : joinStates(known.state, own));
  const result = successResult(parsed, isFirst ? 'applied' : 'updated', warnings, learnerCourse, progress);
  if (belongsElsewhere(context.boundTo, learnerCourse)) return { result: conflictResult(result, context.boundTo) };

  return { result, write: { ...write, claim: isFirst } };
}

function belongsElsewhere(boundTo: LearnerCourse | undefined, learnerCourse: LearnerCourse): boundTo is LearnerCourse {
  return boundTo !== undefined && learnerCourseId(boundTo) !== learnerCourseId(learnerCourse);
}

/** What a learner course holds without the import being planned, and the join of it. */
interface KnownBefore {
  readonly import_id: string;
  readonly contributions: readonly Contribution[];
  readonly state: ProgressState | null;
}

/** A long history is joined once for all records of a chunk that name it, not once for each. */
const joinedHistories = new WeakMap<CourseHistory, KnownBefore>();

function knownBefore(import_id: string, stored: CourseHistory | undefined): KnownBefore {
  if (stored === undefined) return { import_id, contributions: [], state: null };
  const joined = joinedHistories.get(stored);
  if (joined?.import_id === import_id) return joined;
  const contributions = stored.contributions.filter((each) => each.import_id !== import_id);
  const known = { import_id, contributions, state: joinedState(stored.native, contributions) };
  joinedHistories.set(stored, known);
  return known;
}

/**
 * §4.3: "Non-destructive merge: the maximum is kept per dimension (warning `native_progress_kept`)". Warns where organic
 * progress is above the record in a dimension that the record itself contains.
 */
function nativeProgressKept(native: Progress | null, record: EvaluatedProgress): Warning[] {
  if (native === null) return [];
  const kept = [
    ...higherPercentage(native, record),
    ...furtherClasses(native, record),
    ...certification(native, record),
  ];
  if (kept.length === 0) return [];
  const message = `The learner's higher progress on the platform is kept: ${kept.join('; ')}.`;
  return [{ warning_code: 'native_progress_kept', message, field: 'progress' }];
}

function higherPercentage(native: Progress, { completion_pct }: EvaluatedProgress): string[] {
  const isHigher = native.completion_pct > completion_pct;
  return isHigher ? [`completion_pct ${native.completion_pct} instead of ${completion_pct}`] : [];
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

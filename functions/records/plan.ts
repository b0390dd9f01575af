/** The decision about one record (§4.3): its result and its write. */
import { contributionOf } from './contribution.ts';
import type { ImportContext, ValidRecord } from './contribution.ts';
import { evaluateProgress } from './evaluate.ts';
import type { Evaluation } from './evaluate.ts';
import { learnerCourseId } from './identifiers.ts';
import { joinStates, joinedState, stateOf, toProgress } from './merge.ts';
import type { ProgressState } from './merge.ts';
import { nativeProgressKept } from './native-progress.ts';
import { OVERSIZED } from './parse.ts';
import type { ParsedRecord } from './parse.ts';
import { firstProblems, problem } from './problems.ts';
import type { Resolution } from './resolve.ts';
import { PROCESSING_FAILED, conflictResult, errorResult, rejectedRecord, successResult } from './result.ts';
import { MAX_PROBLEMS_PER_RECORD } from '../shared/limits.ts';
import type {
  Contribution,
  Course,
  CourseHistory,
  LearnerCourse,
  PlannedRecord,
  StoredSpace,
} from '../shared/model.ts';

export interface PlanContext extends ImportContext {
  /** Dry run only: the user and course that this `external_record_id` already belongs to. */
  readonly boundTo?: LearnerCourse;
}

/** The history of a learner course without the import being planned, its contributions by `external_record_id`, and its join. */
export interface HistoryBefore extends Pick<CourseHistory, 'native'> {
  readonly space: StoredSpace;
  readonly byRecord: ReadonlyMap<string, readonly Contribution[]>;
  readonly state: ProgressState | null;
}

/** Joins a history once for all records of a chunk that name it. Contributions of the import itself are disregarded. */
export function historyBefore(import_id: string, stored: CourseHistory | undefined): HistoryBefore {
  const { native, contributions: all, items, filled, added } = stored ?? NOTHING_STORED;
  const contributions = all.filter((each) => each.import_id !== import_id);
  const byRecord = Map.groupBy(contributions, ({ external_record_id }) => external_record_id);
  return { native, space: { items, filled, added }, byRecord, state: joinedState(native, contributions) };
}

const NOTHING_STORED = { native: null, contributions: [], items: 0, filled: undefined, added: undefined };

/**
 * Decides about one record (§4.3) and reports all its problems at once, up to 100. Depends on its arguments alone, so a dry run
 * and the real run decide alike. Never throws, whatever was sent.
 *
 * @param before the history of the resolved user and course
 *
 * @example
 * const user = { user_id: 7, email: 'ann@acme.test', license: 'active' };
 * const course = { platform_course_id: 101, title: 'Fire safety', has_exam: false, classes: [] };
 * const content = { type: 'course', platform_course_id: 101 };
 * const sent = { external_record_id: 'r-1', user: { email: user.email }, content, progress: { completion_pct: 80 } };
 * const context = { import_id: 'i', imported_at: '2026-01-02T00:00:00.000Z', hash: (text) => text };
 * const before = historyBefore('i', undefined);
 * const { result } = planRecord(parseRecord(sent, 0), { problems: [], user, course }, before, context);
 * [result.outcome, result.progress.completion_pct]; // => ['applied', 80]
 */
export function planRecord(
  parsed: ParsedRecord,
  resolution: Resolution,
  before: HistoryBefore,
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
  return planValid({ external_record_id, parsed, evaluated, learnerCourse }, course, before, context);
}

/**
 * §7.3: "the same external_record_id appears twice in one batch". The later records have no other error.
 *
 * @example
 * planDuplicate({ external_record_id: 'r-1' }, 3).result.errors[0].error_code; // => 'duplicate_external_record_id'
 */
export function planDuplicate(raw: unknown, index: number): PlannedRecord {
  const field = 'external_record_id';
  const rule = 'appears earlier in this batch; only the first record with this id is processed';
  return rejectedRecord(raw, index, problem('duplicate_external_record_id', field, rule));
}

/**
 * A record that was too large to be kept: only its id is known.
 *
 * @example
 * planOversized({ external_record_id: 'r-1' }, 0).result.errors[0].message; // => 'The record must be at most 64 KiB as JSON.'
 */
export function planOversized(raw: unknown, index: number): PlannedRecord {
  return rejectedRecord(raw, index, OVERSIZED);
}

/**
 * Rule 13: our own code failed on this record.
 *
 * @example
 * planProcessingFailed({ external_record_id: 'r-1' }, 0).result.errors[0].error_code; // => 'processing_failed'
 */
export function planProcessingFailed(raw: unknown, index: number): PlannedRecord {
  return rejectedRecord(raw, index, PROCESSING_FAILED);
}

/**
 * Applies a valid record to its learner course (rule 12). If its id is known with the same content it is `unchanged` and relies
 * on the import that wrote it; if it is known with other content it is `updated`; else it is `applied`. It is rejected if the
 * id belongs to another learner course.
 */
function planValid(record: ValidRecord, course: Course, before: HistoryBefore, context: PlanContext): PlannedRecord {
  const { parsed, evaluated, learnerCourse } = record;
  const ofThisRecord = before.byRecord.get(record.external_record_id) ?? [];
  const contribution = contributionOf(record, context);
  const warnings = [...evaluated.warnings, ...nativeProgressKept(before.native, evaluated), ...parsed.ignored];

  const write = { ...learnerCourse, claim: false, contribution, ...before.space };
  const same = ofThisRecord.find(({ content_hash }) => content_hash === contribution.content_hash);
  if (same !== undefined) {
    const progress = before.state && toProgress(before.state, course);
    const unchanged = successResult(parsed, 'unchanged', warnings, learnerCourse, progress);
    return { result: unchanged, write, relies_on: same.import_id };
  }
  const isFirst = ofThisRecord.length === 0;
  const own = stateOf(contribution);
  const progress = toProgress(before.state === null ? own : joinStates(before.state, own), course);
  const result = successResult(parsed, isFirst ? 'applied' : 'updated', warnings, learnerCourse, progress);
  if (belongsElsewhere(context.boundTo, learnerCourse)) return { result: conflictResult(result, context.boundTo) };

  return { result, write: { ...write, claim: isFirst } };
}

function belongsElsewhere(boundTo: LearnerCourse | undefined, learnerCourse: LearnerCourse): boundTo is LearnerCourse {
  return boundTo !== undefined && learnerCourseId(boundTo) !== learnerCourseId(learnerCourse);
}

/** The decision about one record (§4.3): its result and its write. */
import { contributionOf, type ImportContext, type ValidRecord } from './contribution.ts';
import { evaluateProgress, type Evaluation } from './evaluate.ts';
import { overOf } from './expected.ts';
import { learnerCourseId } from './identifiers.ts';
import { joinAll, nativeState, stateOf, toProgress, undatedClasses, type ProgressState } from './merge.ts';
import { nativeProgressKept, earlierRecordKept, dateAssumed, dateImplausible } from './warnings.ts';
import type { ParsedRecord } from './parse.ts';
import { firstProblems } from './problems.ts';
import type { Resolution } from './resolve.ts';
import { PROCESSING_FAILED, conflictResult, errorResult, resultProgress, successResult } from './result.ts';
import { byAcceptance, byRecord, contentsOf, countingOf, saysTheSame } from './versions.ts';
import { MAX_PROBLEMS_PER_RECORD } from '../shared/limits.ts';
import { isArchivable, type Warning } from '../shared/codes.ts';
import type {
  Contribution,
  Course,
  CourseHistory,
  LearnerCourse,
  Outcome,
  PlannedRecord,
  Progress,
} from '../shared/model.ts';

export interface PlanContext extends ImportContext {
  readonly dry_run?: boolean;
  /** Dry run only: it is of a run, so a plan may be made of it (§4.11). */
  readonly mayBePlanned?: boolean;
  /** Records that nobody or no course answers to are kept (§4.12). */
  readonly archive?: boolean;
  /** The plan that the import is of (§4.11): its imports are left aside in what the record is over. */
  readonly plan_id?: string;
  /** An import that replaces is open, perhaps this one: what an `unchanged` record would rely on may be replaced. */
  readonly mayBeOvertaken?: boolean;
  /** Dry run only: the user and course that this `external_record_id` already belongs to. */
  readonly boundTo?: LearnerCourse;
}

export type HistoryBefore = ReturnType<typeof historyBefore>;

/** Joins a history once for all records of a chunk that name it. Contributions of the import itself are disregarded. */
export function historyBefore(import_id: string, stored: CourseHistory | undefined) {
  const { native, contributions, items, filled, added } = stored ?? NOTHING_STORED;
  const records = byRecord(contributions.filter((each) => each.import_id !== import_id));
  const places = new Map([...records.keys()].map((id, place) => [id, place]));
  const organic = native && nativeState(native);
  const states = [...records.values()].map((each) => joinAll(countingOf(each).map(stateOf)));
  const state = joinAll([organic, ...states]);
  let joins: ReturnType<typeof joinsWithoutOne> | undefined;
  return {
    native,
    space: { items, filled, added },
    ofRecord: (id: string): readonly Contribution[] => records.get(id) ?? [],
    state,
    without(id: string) {
      const place = places.get(id);
      if (place === undefined) return state;
      joins ??= joinsWithoutOne(organic, states);
      return joins[place] ?? null;
    },
  };
}

function joinsWithoutOne(first: ProgressState | null, states: readonly (ProgressState | null)[]) {
  const ahead = joinsSoFar(first, states);
  const behind = joinsSoFar(null, states.toReversed()).toReversed();
  return states.map((_, place) => joinAll([ahead[place] ?? null, behind[place + 1] ?? null]));
}

function joinsSoFar(first: ProgressState | null, states: readonly (ProgressState | null)[]) {
  const joins = [first];
  for (const each of states) joins.push(joinAll([joins.at(-1) ?? null, each]));
  return joins;
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
  if (problems.length > 0) {
    const rejected = { ...parsed, warnings: parsed.ignored };
    const result = errorResult(rejected, firstProblems(problems, MAX_PROBLEMS_PER_RECORD));
    return { result: context.archive === true && isArchivable(problems) ? { ...result, archived: true } : result };
  }
  const { external_record_id } = parsed;
  const evaluated = evaluation.progress;
  if (external_record_id === null || !user || !course || !evaluated)
    return { result: errorResult(parsed, [PROCESSING_FAILED]) };
  const learnerCourse = { user_id: user.user_id, platform_course_id: course.platform_course_id };
  return planValid({ external_record_id, parsed, evaluated, learnerCourse }, course, before, context);
}

/**
 * Rule 12: `unchanged` if it says what counts of its id, but stored where its place in the order of acceptance may matter;
 * `updated` if its id is known, else `applied`. Rejected if the id is another learner course's.
 */
function planValid(record: ValidRecord, course: Course, before: HistoryBefore, context: PlanContext): PlannedRecord {
  const { external_record_id, parsed, evaluated, learnerCourse } = record;
  const contribution = contributionOf(record, context);
  const known = before.ofRecord(external_record_id);
  const counting = countingOf(known);
  const warningsWith = (state: ProgressState | null) => [
    ...evaluated.warnings,
    ...nativeProgressKept(before.native, evaluated, course),
    ...dateAssumed(contribution, undatedClasses(state, course)),
    ...dateImplausible(record, context.imported_at),
  ];
  const progressIn = (state: ProgressState | null) => state && toProgress(state, course);
  const write = { ...learnerCourse, claim: false, contribution, ...before.space };

  const same = counting.find(({ content_hash }) => content_hash === contribution.content_hash);
  if (same !== undefined && saysTheSame(contribution, contentsOf(counting))) {
    const all = [...warningsWith(before.state), ...parsed.ignored];
    const result = successResult(parsed, 'unchanged', all, learnerCourse, progressIn(before.state));
    const isEarlier = byAcceptance(contribution, same) < 0;
    const isPlaced = context.mayBeOvertaken === true || isEarlier;
    if (context.dry_run === true || !isPlaced)
      return { result, write, relies_on: same.import_id, ...overIn(known, 'unchanged', context) };
    return { result, write, ...(!isEarlier && { repeats: same.import_id }) };
  }
  const outcome = known.length === 0 ? 'applied' : 'updated';
  const state = stateWith(contribution, before);
  const all = [...warningsWith(state), ...keptBy(counting, contribution), ...parsed.ignored];
  const result = {
    ...successResult(parsed, outcome, all, learnerCourse, progressIn(state)),
    ...(context.dry_run === true && { before: progressBefore(learnerCourse, progressIn(before.state)) }),
  };
  if (belongsElsewhere(context.boundTo, learnerCourse)) return { result: conflictResult(result, context.boundTo) };

  return { result, write: { ...write, claim: known.length === 0 }, ...overIn(known, outcome, context) };
}

/** What the record is over, in an import of a plan, and in a dry run where a plan guards it (§4.11). */
function overIn(known: readonly Contribution[], outcome: Outcome, context: PlanContext): { readonly over?: string } {
  const { plan_id, mayBePlanned = false, replace = false, hash } = context;
  const isGuarded = plan_id !== undefined || (mayBePlanned && (replace || outcome === 'unchanged'));
  return isGuarded ? { over: overOf(known, plan_id, hash) } : {};
}

const progressBefore = (learnerCourse: LearnerCourse, progress: Progress | null) =>
  progress && resultProgress(learnerCourse, progress);

/** The join with this contribution, which may replace others of its record, or be replaced by one that was accepted later. */
function stateWith(contribution: Contribution, before: HistoryBefore): ProgressState | null {
  const { external_record_id } = contribution;
  const counting = countingOf([...before.ofRecord(external_record_id), contribution]);
  return joinAll([before.without(external_record_id), ...counting.map(stateOf)]);
}

function keptBy(counting: readonly Contribution[], contribution: Contribution): Warning[] {
  if (contribution.replaces === true) return [];
  const earlier = counting.filter((each) => byAcceptance(each, contribution) < 0);
  return earlierRecordKept(earlier, contribution);
}

function belongsElsewhere(boundTo: LearnerCourse | undefined, learnerCourse: LearnerCourse): boundTo is LearnerCourse {
  return boundTo !== undefined && learnerCourseId(boundTo) !== learnerCourseId(learnerCourse);
}

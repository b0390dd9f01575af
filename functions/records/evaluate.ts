/** Progress and assessment of a record (§2.7, §4.3): which assessment and classes count, the percentage, and all of it together. */
import { warning, invalid, problem } from './problems.ts';
import type { AssessmentBlock, ProgressBlock, SentClass } from './schema.ts';
import type { Course, Warning, Problem, WarningCode } from '../shared/model.ts';
import { listed } from './text.ts';
import type { ParsedRecord } from './parse.ts';

/**
 * §4.3, course without exam: "The assessment block is ignored (warning `assessment_ignored`)", whatever its status.
 *
 * @returns `counted`: the assessment, if one was sent and the course has an exam
 *
 * @example
 * countedAssessment({ status: 'passed' }, { has_exam: true }); // => { counted: { status: 'passed' }, warnings: [] }
 * const { counted, warnings } = countedAssessment({ status: 'passed' }, { has_exam: false });
 * [counted, warnings[0].warning_code]; // => [undefined, 'assessment_ignored']
 */
export function countedAssessment(
  assessment: AssessmentBlock | undefined,
  { has_exam }: Pick<Course, 'has_exam'>,
): { readonly counted?: AssessmentBlock; readonly warnings: readonly Warning[] } {
  if (assessment === undefined) return { warnings: [] };
  if (has_exam) return { counted: assessment, warnings: [] };
  return { warnings: [warning('assessment_ignored', 'assessment', 'is ignored because the course has no exam')] };
}

interface CompletionEvidence {
  readonly progress: Pick<ProgressBlock, 'completion_pct'> | undefined;
  /** Distinct listed classes of the course; `undefined` if no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  readonly hasPassed: boolean;
  readonly course: Pick<Course, 'classes'>;
}

type Completion =
  | { readonly completion_pct: number; readonly warnings: readonly Warning[] }
  | { readonly problem: Problem };

/**
 * The completion percentage of a record (§2.7, §4.3), in this order: the value sent, raised to what its classes imply; the value
 * derived from the class count if classes are sent, unless the exam is passed and none of them is in the course (rule 7: "that
 * is an exam-only record"); 100 for a passed exam; else a problem.
 *
 * @example
 * const course = { classes: [1001, 1002].map((platform_class_id) => ({ platform_class_id, title: 'Extinguishers' })) };
 * const viewed = [{ platform_class_id: 1001 }];
 * const adjusted = completionOf({ progress: { completion_pct: 20 }, viewed, hasPassed: false, course });
 * [adjusted.completion_pct, adjusted.warnings[0].warning_code]; // => [50, 'completion_pct_adjusted']
 * const assumed = completionOf({ progress: undefined, viewed: undefined, hasPassed: true, course });
 * [assumed.completion_pct, assumed.warnings[0].warning_code]; // => [100, 'completion_pct_assumed']
 */
export function completionOf({ progress, viewed, hasPassed, course }: CompletionEvidence): Completion {
  const sent = progress?.completion_pct;
  const derived = viewed && derivedPct(viewed.length, course.classes.length);
  if (sent !== undefined) return atLeast(sent, derived);
  const isExamOnly = hasPassed && viewed?.length === 0;
  if (derived !== undefined && !isExamOnly) {
    const text = `was not sent; ${derived} is derived from the class count`;
    return { completion_pct: derived, warnings: [completionWarning('completion_pct_derived', text)] };
  }
  if (hasPassed) {
    const text = 'was not sent; 100 is assumed because the exam is passed';
    return { completion_pct: 100, warnings: [completionWarning('completion_pct_assumed', text)] };
  }
  return { problem: noPercentage(progress) };
}

/**
 * Distinct viewed classes of all classes, × 100, rounded half up to 2 decimals; a course without classes derives 0.
 *
 * @example
 * derivedPct(2, 3); // => 66.67
 * derivedPct(0, 0); // => 0
 */
export function derivedPct(viewed: number, classes: number): number {
  return classes === 0 ? 0 : Math.floor((20_000 * viewed + classes) / (2 * classes)) / 100;
}

/** §4.3: "The higher value is kept (warning completion_pct_adjusted)". */
function atLeast(sent: number, derived: number | undefined): Completion {
  if (derived === undefined || derived <= sent) return { completion_pct: sent, warnings: [] };
  const text = `${sent} is below what the classes imply; ${derived} is used instead`;
  return { completion_pct: derived, warnings: [completionWarning('completion_pct_adjusted', text)] };
}

function completionWarning(warning_code: WarningCode, text: string): Warning {
  return warning(warning_code, 'progress.completion_pct', text);
}

function noPercentage(progress: CompletionEvidence['progress']): Problem {
  const passed = 'the course has an exam and assessment.status is "passed"';
  return progress === undefined
    ? problem('missing_progress', 'progress', `is required unless ${passed}`)
    : invalid('progress.completion_pct', `is required unless progress.classes is sent, or ${passed}`);
}

/**
 * §4.3: "Classes not belonging to the course are skipped with warning class_not_in_course; duplicate class ids are ignored
 * (warning duplicate_class_id)". A foreign class listed twice gives both warnings.
 *
 * @returns `viewed`: distinct listed classes of the course, in the order sent; `undefined` if no classes were sent
 *
 * @example
 * const course = { classes: [{ platform_class_id: 1001, title: 'Extinguishers' }] };
 * const listed = [{ platform_class_id: 1001 }, { platform_class_id: 5 }];
 * const { viewed, warnings } = viewedClasses(listed, course);
 * viewed; // => [{ platform_class_id: 1001 }]
 * warnings.map((each) => each.warning_code); // => ['class_not_in_course']
 */
export function viewedClasses(
  sent: readonly SentClass[] | undefined,
  { classes }: Pick<Course, 'classes'>,
): { readonly viewed: readonly SentClass[] | undefined; readonly warnings: readonly Warning[] } {
  if (sent === undefined) return { viewed: undefined, warnings: [] };
  const { distinct, duplicates } = byFirstEntry(sent);
  const inCourse = new Set(classes.map(({ platform_class_id }) => platform_class_id));
  const viewed = distinct.filter(({ platform_class_id }) => inCourse.has(platform_class_id));
  const foreign = distinct.map(({ platform_class_id }) => platform_class_id).filter((id) => !inCourse.has(id));
  const warnings = [
    ...classWarning('class_not_in_course', 'lists classes that are not in the course and are skipped', foreign),
    ...classWarning('duplicate_class_id', 'lists classes more than once; the first entry of each counts', duplicates),
  ];
  return { viewed, warnings };
}

/**
 * Rule 4: "a class listed twice counts by its first entry".
 *
 * @returns the first entry of each class, in the order sent, and the ids listed more than once
 *
 * @example
 * const classes = [{ platform_class_id: 7, viewed_at: '2024-05-01T00:00:00.000Z' }, { platform_class_id: 7 }];
 * byFirstEntry(classes); // => { distinct: [classes[0]], duplicates: [7] }
 */
export function byFirstEntry(sent: readonly SentClass[]): { distinct: SentClass[]; duplicates: number[] } {
  const first = new Map<number, SentClass>();
  const duplicates = new Set<number>();
  for (const entry of sent) {
    if (first.has(entry.platform_class_id)) duplicates.add(entry.platform_class_id);
    else first.set(entry.platform_class_id, entry);
  }
  return { distinct: [...first.values()], duplicates: [...duplicates] };
}

function classWarning(warning_code: WarningCode, rule: string, ids: readonly number[]): Warning[] {
  return ids.length === 0 ? [] : [warning(warning_code, 'progress.classes', `${rule}: ${listed(ids)}`)];
}

/** Without `progress` if there is a problem, or if the progress or the assessment sent is malformed. */
export type Evaluation = ReturnType<typeof evaluateProgress>;
export type EvaluatedProgress = NonNullable<Evaluation['progress']>;

/**
 * Evaluates progress and assessment of a record (§2.7, §4.3). Malformed ones are not evaluated: their own problems say why.
 *
 * @example
 * const course = { platform_course_id: 101, title: 'Fire safety', has_exam: true, classes: [] };
 * const { progress } = evaluateProgress(parseRecord({ progress: { completion_pct: 80 } }, 0), course);
 * progress; // => { completion_pct: 80, viewed: undefined, assessment: undefined, warnings: [] }
 */
export function evaluateProgress(parsed: ParsedRecord, course: Course) {
  if (parsed.malformed.includes('progress') || parsed.malformed.includes('assessment')) return { problems: [] };
  const assessment = countedAssessment(parsed.assessment, course);
  const classes = viewedClasses(parsed.progress?.classes, course);
  const hasPassed = assessment.counted?.status === 'passed';
  const completion = completionOf({ progress: parsed.progress, viewed: classes.viewed, hasPassed, course });
  if ('problem' in completion) return { problems: [completion.problem] };
  const warnings = [...assessment.warnings, ...completion.warnings, ...classes.warnings];
  const { completion_pct } = completion;
  return {
    problems: [],
    progress: { completion_pct, viewed: classes.viewed, assessment: assessment.counted, warnings },
  };
}

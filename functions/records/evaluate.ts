/** What a record says about the course it resolves to (§2.7, §4.3): percentage, viewed classes, assessment. */
import type { ParsedRecord } from './parse.ts';
import { invalid, problem, warning } from './problems.ts';
import type { AssessmentBlock, ProgressBlock, SentClass } from './schema.ts';
import { listed } from './text.ts';
import type { Problem, Warning, WarningCode } from '../shared/codes.ts';
import type { Course } from '../shared/model.ts';

/** Without progress where there is a problem, or where the progress or the assessment sent is malformed. */
export interface Evaluation {
  readonly problems: readonly Problem[];
  readonly progress?: EvaluatedProgress;
}

export interface EvaluatedProgress {
  readonly completion_pct: number;
  /** Distinct listed classes of the course; `undefined` where no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  /** The assessment, if the course has an exam. */
  readonly assessment: AssessmentBlock | undefined;
  readonly warnings: readonly Warning[];
}

/** What the percentage is derived from. */
interface CompletionEvidence {
  /** `undefined` where no progress block was sent. */
  readonly progress: ProgressBlock | undefined;
  readonly viewed: readonly SentClass[] | undefined;
  /** The course has an exam and the assessment says `passed`. */
  readonly hasPassed: boolean;
  readonly course: Course;
}

type Completion =
  | { readonly completion_pct: number; readonly warnings: readonly Warning[] }
  | { readonly problem: Problem };

/** Evaluates progress and assessment of a record (§2.7, §4.3). Malformed ones are not evaluated: their own problems say why. */
export function evaluateProgress(parsed: ParsedRecord, course: Course): Evaluation {
  if (parsed.malformed.includes('progress') || parsed.malformed.includes('assessment')) return { problems: [] };
  const assessment = evaluateAssessment(parsed.assessment, course);
  const classes = evaluateClasses(parsed.progress?.classes, course);
  const hasPassed = assessment.counted?.status === 'passed';
  const completion = evaluateCompletion({ progress: parsed.progress, viewed: classes.viewed, hasPassed, course });
  if ('problem' in completion) return { problems: [completion.problem] };
  const warnings = [...assessment.warnings, ...completion.warnings, ...classes.warnings];
  const { completion_pct } = completion;
  return {
    problems: [],
    progress: { completion_pct, viewed: classes.viewed, assessment: assessment.counted, warnings },
  };
}

/** §4.3, course without exam: "The assessment block is ignored (warning `assessment_ignored`)", whatever its status. */
function evaluateAssessment(
  assessment: AssessmentBlock | undefined,
  course: Course,
): { readonly counted?: AssessmentBlock; readonly warnings: readonly Warning[] } {
  if (assessment === undefined) return { warnings: [] };
  if (course.has_exam) return { counted: assessment, warnings: [] };
  return { warnings: [warning('assessment_ignored', 'assessment', 'is ignored because the course has no exam')] };
}

/**
 * §4.3: "Classes not belonging to the course are skipped with warning class_not_in_course; duplicate class ids are ignored
 * (warning duplicate_class_id)". A foreign class listed twice gives both warnings.
 */
function evaluateClasses(
  sent: readonly SentClass[] | undefined,
  course: Course,
): { readonly viewed: readonly SentClass[] | undefined; readonly warnings: readonly Warning[] } {
  if (sent === undefined) return { viewed: undefined, warnings: [] };
  const { distinct, duplicates } = byFirstEntry(sent);
  const inCourse = new Set(course.classes.map(({ platform_class_id }) => platform_class_id));
  const viewed = distinct.filter(({ platform_class_id }) => inCourse.has(platform_class_id));
  const foreign = distinct.map(({ platform_class_id }) => platform_class_id).filter((id) => !inCourse.has(id));
  const warnings = [
    ...classWarning('class_not_in_course', 'lists classes that are not in the course and are skipped', foreign),
    ...classWarning('duplicate_class_id', 'lists classes more than once; the first entry of each counts', duplicates),
  ];
  return { viewed, warnings };
}

/** Rule 4: "a class listed twice counts by its first entry". */
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

/**
 * The completion percentage of a record (§2.7, §4.3), in this order: the value sent, raised to what its classes imply; derived
 * from the class count where classes are sent, passed exam or not; 100 for a passed exam; else there is none.
 */
function evaluateCompletion({ progress, viewed, hasPassed, course }: CompletionEvidence): Completion {
  const sent = progress?.completion_pct;
  const derived = viewed && derivedPct(viewed.length, course.classes.length);
  if (sent !== undefined) return atLeast(sent, derived);
  if (derived !== undefined) {
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

function noPercentage(progress: ProgressBlock | undefined): Problem {
  const passed = 'the course has an exam and assessment.status is "passed"';
  return progress === undefined
    ? problem('missing_progress', 'progress', `is required unless ${passed}`)
    : invalid('progress.completion_pct', `is required unless progress.classes is sent, or ${passed}`);
}

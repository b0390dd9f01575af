/** The completion percentage of a record (§2.7, §4.3): sent, derived from its classes, or assumed from a passed exam. */
import { invalid, problem, warning } from './problems.ts';
import type { ProgressBlock, SentClass } from './schema.ts';
import type { Course, Problem, Warning, WarningCode } from '../shared/model.ts';

interface CompletionEvidence {
  /** `undefined` if no progress block was sent. */
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

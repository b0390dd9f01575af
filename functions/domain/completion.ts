import { invalid } from './block-problems.ts';
import type { Problem, Warning, WarningCode } from './codes.ts';
import type { Course } from './model.ts';
import type { ProgressBlock, SentClass } from './record-blocks.ts';

export type Completion =
  | { readonly completion_pct: number; readonly warnings: readonly Warning[] }
  | { readonly problem: Problem };

/** What the percentage is judged by. */
export interface CompletionEvidence {
  /** `undefined` where no progress block was sent. */
  readonly progress: ProgressBlock | undefined;
  /** Distinct classes of the course that are listed; `undefined` where no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  /** The course has an exam and the assessment says `passed`. */
  readonly hasPassed: boolean;
  readonly course: Course;
}

/**
 * The completion percentage of a record (§2.7, §4.3), in this order: the value sent, raised to what its classes imply; 100
 * for a passed exam; derived from the class count; else there is none.
 */
export function judgeCompletion({ progress, viewed, hasPassed, course }: CompletionEvidence): Completion {
  const sent = progress?.completion_pct;
  const derived = viewed && derivedPct(viewed.length, course.classes.length);
  if (sent !== undefined) return atLeast(sent, derived);
  if (hasPassed)
    return { completion_pct: 100, warnings: [warning('completion_pct_assumed', '100, as the exam is passed')] };
  if (derived !== undefined) {
    return {
      completion_pct: derived,
      warnings: [warning('completion_pct_derived', `${derived}, from the class count`)],
    };
  }
  return { problem: progress === undefined ? MISSING_PROGRESS : MISSING_PERCENTAGE };
}

/** Distinct viewed classes of all classes, × 100, rounded half up to 2 decimals; a course without classes derives 0. */
export function derivedPct(viewed: number, classes: number): number {
  return classes === 0 ? 0 : Math.floor((20_000 * viewed + classes) / (2 * classes)) / 100;
}

/** §4.3: "The higher value is kept (warning completion_pct_adjusted)". */
function atLeast(sent: number, derived: number | undefined): Completion {
  if (derived === undefined || derived <= sent) return { completion_pct: sent, warnings: [] };
  const adjusted = warning('completion_pct_adjusted', `${derived}, as the classes imply more than the ${sent} sent`);
  return { completion_pct: derived, warnings: [adjusted] };
}

function warning(warning_code: WarningCode, value: string): Warning {
  return { warning_code, message: `progress.completion_pct is ${value}`, field: 'progress.completion_pct' };
}

const MISSING_PROGRESS: Problem = {
  error_code: 'missing_progress',
  message: 'progress is required unless the course has an exam and assessment.status is passed',
  field: 'progress',
};

const MISSING_PERCENTAGE = invalid(
  'progress.completion_pct',
  'is required unless progress.classes is sent, or the course has an exam and assessment.status is passed',
);

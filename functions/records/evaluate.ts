import type { AssessmentBlock, ProgressBlock, SentClass } from './blocks.ts';
import { invalid } from './blocks.ts';
import type { ParsedRecord } from './parse.ts';
import { listed } from './text.ts';
import type { Problem, Warning, WarningCode } from '../shared/codes.ts';
import type { Course, Instant } from '../shared/model.ts';

/** What a record says about its course, once the course is known (§4.3). */
export interface EvaluatedProgress {
  readonly completion_pct: number;
  /** Distinct classes of the course that are listed; `undefined` where no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  /** The assessment, if it counts in this course. */
  readonly assessment: AssessmentBlock | undefined;
  readonly warnings: readonly Warning[];
}

/** `undefined` where the progress or the assessment sent cannot be used: their own problems say why. */
export function evaluateProgress(
  parsed: ParsedRecord,
  course: Course,
): EvaluatedProgress | { problem: Problem } | undefined {
  if (parsed.malformed.includes('progress') || parsed.malformed.includes('assessment')) return undefined;
  const assessment = evaluateAssessment(parsed.assessment, course);
  const classes = evaluateClasses(parsed.progress?.classes, course);
  const hasPassed = assessment.counted?.status === 'passed';
  const completion = evaluateCompletion({ progress: parsed.progress, viewed: classes.viewed, hasPassed, course });
  if ('problem' in completion) return completion;
  return {
    completion_pct: completion.completion_pct,
    viewed: classes.viewed,
    assessment: assessment.counted,
    warnings: [...assessment.warnings, ...completion.warnings, ...classes.warnings],
  };
}

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
export function evaluateCompletion({ progress, viewed, hasPassed, course }: CompletionEvidence): Completion {
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

/** The listed classes of a record, judged against its course. */
export interface EvaluatedClasses {
  /** Distinct classes of the course, each by its first entry; `undefined` where no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  readonly warnings: readonly Warning[];
}

/**
 * §4.3: "Classes not belonging to the course are skipped with warning class_not_in_course; duplicate class ids are ignored
 * (warning duplicate_class_id)". Duplicates are judged first, so a foreign class listed twice gives both warnings.
 */
export function evaluateClasses(sent: readonly SentClass[] | undefined, course: Course): EvaluatedClasses {
  if (sent === undefined) return { viewed: undefined, warnings: [] };
  const { distinct, duplicates } = byFirstEntry(sent);
  const inCourse = new Set(course.classes.map(({ platform_class_id }) => platform_class_id));
  const viewed = distinct.filter(({ platform_class_id }) => inCourse.has(platform_class_id));
  const foreign = distinct.map(({ platform_class_id }) => platform_class_id).filter((id) => !inCourse.has(id));
  const warnings = [
    ...classWarning('class_not_in_course', 'classes that do not belong to the course are skipped', foreign),
    ...classWarning('duplicate_class_id', 'classes listed more than once count by their first entry', duplicates),
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

function classWarning(warning_code: Warning['warning_code'], rule: string, ids: readonly number[]): Warning[] {
  if (ids.length === 0) return [];
  return [{ warning_code, message: `${rule}: ${listed(ids)}`, field: 'progress.classes' }];
}

/** The assessment as far as it counts in the course of the record. */
export interface EvaluatedAssessment {
  /** Absent where none was sent, or where the course has no exam. */
  readonly counted?: AssessmentBlock;
  readonly warnings: readonly Warning[];
}

/** §4.3, course without exam: "The assessment block is ignored (warning `assessment_ignored`)", whatever its status. */
export function evaluateAssessment(assessment: AssessmentBlock | undefined, course: Course): EvaluatedAssessment {
  if (assessment === undefined) return { warnings: [] };
  if (course.has_exam) return { counted: assessment, warnings: [] };
  const message = 'assessment is ignored because the course has no exam';
  return { warnings: [{ warning_code: 'assessment_ignored', message, field: 'assessment' }] };
}

export interface Certification {
  readonly approved_course: 0 | 1;
  readonly certified_at: DatedValue;
}

/** §4.3: "Course is certified: `approved_course = 1`, certification date = assessment.taken_at"; else it stays pending. */
export function certificationOf(counted: AssessmentBlock | undefined, imported_at: Instant): Certification {
  if (counted?.status !== 'passed') return { approved_course: 0, certified_at: asSent(null) };
  return { approved_course: 1, certified_at: orImportDate(counted.taken_at, imported_at) };
}

/** A date as it will be persisted, and whether nobody sent it. */
export interface DatedValue {
  readonly at: Instant | null;
  readonly isDefault: boolean;
}

/** §2.7: "a missing date defaults to the import date"; `null` was sent as such. */
export function orImportDate(sent: Instant | null | undefined, imported_at: Instant): DatedValue {
  return sent === undefined ? { at: imported_at, isDefault: true } : { at: sent, isDefault: false };
}

/** A date that has no default. */
export function asSent(sent: Instant | null | undefined): DatedValue {
  return { at: sent ?? null, isDefault: false };
}

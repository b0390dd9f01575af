import { judgeAssessment } from './certification.ts';
import { judgeClasses } from './class-views.ts';
import type { Problem, Warning } from './codes.ts';
import { judgeCompletion } from './completion.ts';
import type { Course } from './model.ts';
import type { ParsedRecord } from './parse-record.ts';
import type { AssessmentBlock, SentClass } from './record-blocks.ts';

/** What a record says about its course, once the course is known (§4.3). */
export interface JudgedProgress {
  readonly completion_pct: number;
  /** Distinct classes of the course that are listed; `undefined` where no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  /** The assessment, if it counts in this course. */
  readonly assessment: AssessmentBlock | undefined;
  readonly warnings: readonly Warning[];
}

/** `undefined` where the progress or the assessment sent cannot be used: their own problems say why. */
export function judgeProgress(parsed: ParsedRecord, course: Course): JudgedProgress | { problem: Problem } | undefined {
  if (parsed.malformed.includes('progress') || parsed.malformed.includes('assessment')) return undefined;
  const assessment = judgeAssessment(parsed.assessment, course);
  const classes = judgeClasses(parsed.progress?.classes, course);
  const hasPassed = assessment.counted?.status === 'passed';
  const completion = judgeCompletion({ progress: parsed.progress, viewed: classes.viewed, hasPassed, course });
  if ('problem' in completion) return completion;
  return {
    completion_pct: completion.completion_pct,
    viewed: classes.viewed,
    assessment: assessment.counted,
    warnings: [...assessment.warnings, ...completion.warnings, ...classes.warnings],
  };
}

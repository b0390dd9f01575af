/** The progress that a record gives in its course: assessment.ts, classes.ts and completion.ts, one after another. */
import { countedAssessment } from './assessment.ts';
import { viewedClasses } from './classes.ts';
import { completionOf } from './completion.ts';
import type { ParsedRecord } from './parse.ts';
import type { AssessmentBlock, SentClass } from './schema.ts';
import type { Course, Problem, Warning } from '../shared/model.ts';

/** Without `progress` if there is a problem, or if the progress or the assessment sent is malformed. */
export interface Evaluation {
  readonly problems: readonly Problem[];
  readonly progress?: EvaluatedProgress;
}

export interface EvaluatedProgress {
  readonly completion_pct: number;
  /** Distinct listed classes of the course; `undefined` if no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  readonly assessment: AssessmentBlock | undefined;
  readonly warnings: readonly Warning[];
}

/**
 * Evaluates progress and assessment of a record (§2.7, §4.3). Malformed ones are not evaluated: their own problems say why.
 *
 * @example
 * const course = { platform_course_id: 101, title: 'Fire safety', has_exam: true, classes: [] };
 * const { progress } = evaluateProgress(parseRecord({ progress: { completion_pct: 80 } }, 0), course);
 * progress; // => { completion_pct: 80, viewed: undefined, assessment: undefined, warnings: [] }
 */
export function evaluateProgress(parsed: ParsedRecord, course: Course): Evaluation {
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

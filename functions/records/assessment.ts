/** The assessment of a record (§2.7, §4.3): it counts only in a course with an exam. */
import { warning } from './problems.ts';
import type { AssessmentBlock } from './schema.ts';
import type { Course, Warning } from '../shared/model.ts';

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

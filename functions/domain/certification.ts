import type { Warning } from './codes.ts';
import { asSent, type DatedValue, orImportDate } from './dated-value.ts';
import type { Course, Instant } from './model.ts';
import type { AssessmentBlock } from './record-blocks.ts';

/** The assessment as far as it counts in the course of the record. */
export interface JudgedAssessment {
  /** Absent where none was sent, or where the course has no exam. */
  readonly counted?: AssessmentBlock;
  readonly warnings: readonly Warning[];
}

/** §4.3, course without exam: "The assessment block is ignored (warning `assessment_ignored`)", whatever its status. */
export function judgeAssessment(assessment: AssessmentBlock | undefined, course: Course): JudgedAssessment {
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

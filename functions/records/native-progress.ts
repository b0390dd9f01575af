/** The warning that a learner's organic progress is above what a record says (`native_progress_kept`). */
import type { EvaluatedProgress } from './evaluate.ts';
import { effectiveProgress } from './merge.ts';
import { listed } from './text.ts';
import type { Course, Progress, Warning } from '../shared/model.ts';

/**
 * §4.3: "Non-destructive merge: the maximum is kept per dimension (warning `native_progress_kept`)". Warns if organic
 * progress, with the percentage that its classes imply, is above the record in a dimension that the record itself contains.
 *
 * @example
 * const native = { completion_pct: 90, classes: [], approved_course: 0 };
 * const record = { completion_pct: 50, viewed: undefined, assessment: undefined, warnings: [] };
 * const [warning] = nativeProgressKept(native, record, { has_exam: false, classes: [] });
 * warning.message; // => "The learner's higher progress on the platform is kept: completion_pct 90 instead of 50."
 */
export function nativeProgressKept(
  native: Progress | null,
  record: EvaluatedProgress,
  course: Pick<Course, 'has_exam' | 'classes'>,
): Warning[] {
  const organic = effectiveProgress(native, [], course);
  if (organic === null) return [];
  const kept = [
    ...higherPercentage(organic, record),
    ...furtherClasses(organic, record),
    ...certification(organic, record),
  ];
  if (kept.length === 0) return [];
  const message = `The learner's higher progress on the platform is kept: ${kept.join('; ')}.`;
  return [{ warning_code: 'native_progress_kept', message, field: 'progress' }];
}

function higherPercentage(native: Progress, { completion_pct }: EvaluatedProgress): string[] {
  const isHigher = native.completion_pct > completion_pct;
  return isHigher ? [`completion_pct ${native.completion_pct} instead of ${completion_pct}`] : [];
}

function furtherClasses(native: Progress, { viewed }: EvaluatedProgress): string[] {
  if (viewed === undefined) return [];
  const listedIds = new Set(viewed.map(({ platform_class_id }) => platform_class_id));
  const further = native.classes.map(({ platform_class_id }) => platform_class_id).filter((id) => !listedIds.has(id));
  return further.length === 0 ? [] : [`viewed classes ${listed(further)}`];
}

function certification(native: Progress, { assessment }: EvaluatedProgress): string[] {
  const isContradicted = assessment !== undefined && assessment.status !== 'passed';
  return native.approved_course === 1 && isContradicted ? ['the certification'] : [];
}

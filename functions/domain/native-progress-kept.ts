import type { Warning } from './codes.ts';
import type { JudgedProgress } from './judge-progress.ts';
import type { Progress } from './model.ts';
import { listed } from './quote.ts';

/**
 * §4.3: "Non-destructive merge: the maximum is kept per dimension (warning `native_progress_kept`)". Warned where organic
 * progress stands above the record in a dimension that the record itself speaks of.
 */
export function nativeProgressKept(native: Progress | null, record: JudgedProgress): Warning[] {
  if (native === null) return [];
  const kept = [
    ...higherPercentage(native, record),
    ...furtherClasses(native, record),
    ...certification(native, record),
  ];
  if (kept.length === 0) return [];
  const message = `the platform's own progress is kept: ${kept.join('; ')}`;
  return [{ warning_code: 'native_progress_kept', message, field: 'progress' }];
}

function higherPercentage(native: Progress, { completion_pct }: JudgedProgress): string[] {
  const isHigher = native.completion_pct > completion_pct;
  return isHigher ? [`completion_pct ${native.completion_pct} over ${completion_pct}`] : [];
}

function furtherClasses(native: Progress, { viewed }: JudgedProgress): string[] {
  if (viewed === undefined) return [];
  const listedIds = new Set(viewed.map(({ platform_class_id }) => platform_class_id));
  const further = native.classes.map(({ platform_class_id }) => platform_class_id).filter((id) => !listedIds.has(id));
  return further.length === 0 ? [] : [`viewed classes ${listed(further)}`];
}

function certification(native: Progress, { assessment }: JudgedProgress): string[] {
  const isContradicted = assessment !== undefined && assessment.status !== 'passed';
  return native.approved_course === 1 && isContradicted ? ['the certification'] : [];
}

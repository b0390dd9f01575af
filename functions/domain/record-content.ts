import { canonicalJson } from './canonical-json.ts';
import { byFirstEntry } from './class-views.ts';
import type { Pair } from './model.ts';
import type { ParsedRecord } from './parse-record.ts';
import type { AssessmentBlock, ProgressBlock } from './record-blocks.ts';

/**
 * What a record says, as one canonical text: the same for every way to say it (either identifier, any spelling of a date, any
 * order of classes, `null` or nothing), before defaults and derived values. Two records of one `external_record_id` with the
 * same text are the same record sent again (rule 12: `unchanged`).
 */
export function recordContent({ content, progress, assessment }: ParsedRecord, pair: Pair): string {
  return canonicalJson({
    user_id: pair.user_id,
    platform_course_id: pair.platform_course_id,
    external_ref: content?.external_ref,
    ...(progress && progressContent(progress)),
    ...(assessment && assessmentContent(assessment)),
  });
}

/** `completed_at: null` says something, so it stays. */
function progressContent({ completion_pct, started_at, last_activity_at, completed_at, classes }: ProgressBlock) {
  const views = classes && byFirstEntry(classes).distinct;
  return {
    completion_pct,
    started_at,
    last_activity_at,
    completed_at,
    classes: views?.toSorted((a, b) => a.platform_class_id - b.platform_class_id),
  };
}

function assessmentContent({ status, score_pct, taken_at }: AssessmentBlock) {
  return { assessment: { status, score_pct, taken_at } };
}

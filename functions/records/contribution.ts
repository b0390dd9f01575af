import type { AssessmentBlock, ProgressBlock, SentClass } from './blocks.ts';
import { asSent, byFirstEntry, certificationOf, orImportDate } from './evaluate.ts';
import type { DatedValue, EvaluatedProgress } from './evaluate.ts';
import { canonicalJson } from './json.ts';
import type { ParsedRecord } from './parse.ts';
import type { ClassView, Contribution, DatedField, Instant, LearnerCourse } from '../shared/model.ts';

/** An accepted record, with everything decided about it. */
export interface AcceptedRecord {
  readonly external_record_id: string;
  readonly parsed: ParsedRecord;
  readonly judged: EvaluatedProgress;
  readonly import_id: string;
  readonly imported_at: Instant;
  readonly content_hash: string;
}

/** The record as persisted (§2.7), dated; the dates that default to the import's are marked as such. */
export function contributionOf({ parsed, judged, ...record }: AcceptedRecord): Contribution {
  const certification = certificationOf(judged.assessment, record.imported_at);
  const completed_at = completedAt(parsed.progress, judged.completion_pct, record.imported_at);
  return {
    source: 'external_migration',
    external_record_id: record.external_record_id,
    import_id: record.import_id,
    index: parsed.index,
    imported_at: record.imported_at,
    external_ref: parsed.content?.external_ref ?? null,
    completion_pct: judged.completion_pct,
    score_pct: judged.assessment?.score_pct ?? null,
    assessment_status: judged.assessment?.status ?? null,
    approved_course: certification.approved_course,
    ...dates({
      certified_at: certification.certified_at,
      started_at: orImportDate(parsed.progress?.started_at, record.imported_at),
      last_activity_at: orImportDate(parsed.progress?.last_activity_at, record.imported_at),
      completed_at,
    }),
    ...classViews(judged.viewed ?? [], record.imported_at),
    content_hash: record.content_hash,
  };
}

const DATED_FIELDS: readonly DatedField[] = ['certified_at', 'started_at', 'last_activity_at', 'completed_at'];

function dates(dated: Readonly<Record<DatedField, DatedValue>>) {
  return {
    certified_at: dated.certified_at.at,
    started_at: dated.started_at.at,
    last_activity_at: dated.last_activity_at.at,
    completed_at: dated.completed_at.at,
    defaulted: DATED_FIELDS.filter((field) => dated[field].isDefault),
  };
}

/** Rule 5: "`null` means not completed and stays `null`; absent, it defaults […] where the record completes the course". */
function completedAt(progress: ProgressBlock | undefined, completion_pct: number, imported_at: Instant): DatedValue {
  const sent = progress?.completed_at;
  return completion_pct === 100 ? orImportDate(sent, imported_at) : asSent(sent);
}

/** "Each listed class is marked viewed with its original viewed_at"; "no synthetic class views are created" (§4.3). */
function classViews(viewed: readonly SentClass[], imported_at: Instant) {
  const ordered = viewed.toSorted((a, b) => a.platform_class_id - b.platform_class_id);
  const classes = ordered.map(({ platform_class_id, viewed_at }): ClassView => ({
    platform_class_id,
    viewed_at: viewed_at ?? imported_at,
  }));
  const undated = ordered.filter(({ viewed_at }) => viewed_at === undefined);
  return { classes, defaulted_classes: undated.map(({ platform_class_id }) => platform_class_id) };
}

/**
 * What a record says, as one canonical text: the same for every way to say it (either identifier, any spelling of a date, any
 * order of classes, `null` or nothing), before defaults and derived values. Two records of one `external_record_id` with the
 * same text are the same record sent again (rule 12: `unchanged`).
 */
export function recordContent({ content, progress, assessment }: ParsedRecord, pair: LearnerCourse): string {
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

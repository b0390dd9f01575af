/** A record as it is stored (§2.7): a contribution to the progress of one learner in one course. */
import { type EvaluatedProgress, byFirstEntry } from './evaluate.ts';
import { canonicalJson } from './json.ts';
import type { BlockName, ParsedRecord } from './parse.ts';
import type { ProgressBlock, SentClass } from './schema.ts';
import type { ClassView, Contribution, DatedField, Instant, LearnerCourse } from '../shared/model.ts';

/** A record with everything resolved and no problem: all that its contribution is made of. */
export interface ValidRecord {
  readonly external_record_id: string;
  readonly parsed: ParsedRecord;
  readonly evaluated: EvaluatedProgress;
  readonly learnerCourse: LearnerCourse;
}

export interface ImportContext {
  readonly import_id: string;
  readonly imported_at: Instant;
  /** Rule 12: what earlier imports said of its records counts no longer. */
  readonly replace?: boolean;
  readonly hash: (text: string) => string;
}

export const DATED_FIELDS: readonly DatedField[] = ['certified_at', 'started_at', 'last_activity_at', 'completed_at'];

/**
 * The record as stored (§2.7). The dates that default to the date of the import are marked as such.
 *
 * @example
 * const learnerCourse = { user_id: 7, platform_course_id: 101 };
 * const evaluated = { completion_pct: 100, viewed: undefined, assessment: undefined, warnings: [] };
 * const record = { external_record_id: 'r-1', parsed: { index: 0 }, evaluated, learnerCourse };
 * const context = { import_id: 'i', imported_at: '2026-01-02T00:00:00.000Z', hash: (text) => text };
 * const { completed_at, certified_at, defaulted } = contributionOf(record, context);
 * [completed_at, certified_at]; // => ['2026-01-02T00:00:00.000Z', null]
 * defaulted; // => ['started_at', 'last_activity_at', 'completed_at']
 */
export function contributionOf(
  { external_record_id, parsed, evaluated, learnerCourse }: ValidRecord,
  { import_id, imported_at, replace, hash }: ImportContext,
): Contribution {
  const { completion_pct, assessment, viewed } = evaluated;
  const sent = sentDates(parsed, evaluated);
  // §2.7: "a missing date defaults to the import date"; `null` was sent as such.
  const dated = (field: DatedField) => (sent[field] === undefined ? imported_at : sent[field]);
  return {
    source: 'external_migration',
    external_record_id,
    import_id,
    index: parsed.index,
    imported_at,
    external_ref: parsed.content?.external_ref ?? null,
    completion_pct,
    score_pct: assessment?.score_pct ?? null,
    assessment_status: assessment?.status ?? null,
    approved_course: assessment?.status === 'passed' ? 1 : 0,
    certified_at: dated('certified_at'),
    started_at: dated('started_at'),
    last_activity_at: dated('last_activity_at'),
    completed_at: dated('completed_at'),
    defaulted: DATED_FIELDS.filter((field) => sent[field] === undefined),
    ...classViews(viewed, imported_at),
    content_hash: hash(recordContent(parsed, learnerCourse)),
    ...(replace === true && { replaces: true }),
  };
}

/** The dates that count; `undefined`: the date of the import. */
function sentDates(
  { progress = {} }: ParsedRecord,
  { completion_pct, assessment }: EvaluatedProgress,
): Readonly<Record<DatedField, Instant | null | undefined>> {
  const { started_at, last_activity_at, completed_at } = progress;
  return {
    // §4.3: "Course is certified: `approved_course = 1`, certification date = assessment.taken_at"; else it stays pending.
    certified_at: assessment?.status === 'passed' ? assessment.taken_at : null,
    started_at,
    last_activity_at,
    // Rule 5: "`null` means not completed and stays `null`; absent, it defaults […] where the record completes the course".
    completed_at: completion_pct === 100 ? completed_at : (completed_at ?? null),
  };
}

/** "Each listed class is marked viewed with its original viewed_at"; "no synthetic class views are created" (§4.3). */
function classViews(viewed: readonly SentClass[] = [], imported_at: Instant) {
  const ordered = viewed.toSorted(byClassId);
  const classes = ordered.map(({ platform_class_id, viewed_at }): ClassView => ({
    platform_class_id,
    viewed_at: viewed_at ?? imported_at,
  }));
  const undated = ordered.filter(({ viewed_at }) => viewed_at === undefined);
  return { classes, defaulted_classes: undated.map(({ platform_class_id }) => platform_class_id) };
}

/** One canonical text before defaults: equal for the same record sent again (rule 12). Any new member is content. */
function recordContent({ content, progress, assessment }: ParsedRecord, learnerCourse: LearnerCourse): string {
  const { user_id, platform_course_id } = learnerCourse;
  const blocks = {
    user: { user_id },
    content: { ...content, type: undefined, external_course_id: undefined, platform_course_id },
    progress: progress && { ...progress, classes: distinctClasses(progress) },
    assessment: assessment && { assessment },
  } satisfies Record<BlockName, object | undefined>;
  return canonicalJson({ ...blocks.user, ...blocks.content, ...blocks.progress, ...blocks.assessment });
}

const distinctClasses = ({ classes }: ProgressBlock) => classes && byFirstEntry(classes).distinct.toSorted(byClassId);

function byClassId(a: SentClass, b: SentClass): number {
  return a.platform_class_id - b.platform_class_id;
}

/** A record as it is stored (§2.7): a contribution to the progress of one learner in one course. */
import { type EvaluatedProgress, byFirstEntry } from './evaluate.ts';
import { canonicalJson } from './json.ts';
import type { BlockName, ParsedRecord } from './parse.ts';
import type { AssessmentBlock, ProgressBlock, SentClass } from './schema.ts';
import type { ClassView, Contribution, DatedField, Instant, LearnerCourse } from '../shared/model.ts';

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

/** A date as it will be stored. `isDefault`: the record did not send it. */
interface DatedValue {
  readonly at: Instant | null;
  readonly isDefault: boolean;
}

const DATED_FIELDS: readonly DatedField[] = ['certified_at', 'started_at', 'last_activity_at', 'completed_at'];

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
  const { completion_pct, assessment, viewed = [] } = evaluated;
  const { approved_course, certified_at } = certification(assessment, imported_at);
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
    approved_course,
    ...dates({
      certified_at,
      started_at: orImportDate(parsed.progress?.started_at, imported_at),
      last_activity_at: orImportDate(parsed.progress?.last_activity_at, imported_at),
      completed_at: completedAt(parsed.progress, completion_pct, imported_at),
    }),
    ...classViews(viewed, imported_at),
    content_hash: hash(recordContent(parsed, learnerCourse)),
    ...replacing(replace),
  };
}

const replacing = (replace = false): Pick<Contribution, 'replaces'> => (replace ? { replaces: true } : {});

/** §4.3: "Course is certified: `approved_course = 1`, certification date = assessment.taken_at"; else it stays pending. */
function certification(assessment: AssessmentBlock | undefined, imported_at: Instant) {
  if (assessment?.status !== 'passed') return { approved_course: 0, certified_at: asSent(null) } as const;
  return { approved_course: 1, certified_at: orImportDate(assessment.taken_at, imported_at) } as const;
}

function dates(dated: Readonly<Record<DatedField, DatedValue>>) {
  return {
    certified_at: dated.certified_at.at,
    started_at: dated.started_at.at,
    last_activity_at: dated.last_activity_at.at,
    completed_at: dated.completed_at.at,
    defaulted: DATED_FIELDS.filter((field) => dated[field].isDefault),
  };
}

/** §2.7: "a missing date defaults to the import date"; `null` was sent as such. */
function orImportDate(sent: Instant | null | undefined, imported_at: Instant): DatedValue {
  return sent === undefined ? { at: imported_at, isDefault: true } : { at: sent, isDefault: false };
}

function asSent(sent: Instant | null | undefined): DatedValue {
  return { at: sent ?? null, isDefault: false };
}

/** Rule 5: "`null` means not completed and stays `null`; absent, it defaults […] where the record completes the course". */
function completedAt(progress: ProgressBlock | undefined, completion_pct: number, imported_at: Instant): DatedValue {
  const sent = progress?.completed_at;
  return completion_pct === 100 ? orImportDate(sent, imported_at) : asSent(sent);
}

/** "Each listed class is marked viewed with its original viewed_at"; "no synthetic class views are created" (§4.3). */
function classViews(viewed: readonly SentClass[], imported_at: Instant) {
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

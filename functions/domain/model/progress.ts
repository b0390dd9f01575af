/** Progress of a learner in a course: what was reached, and every migrated record that adds to it. */
import type { Instant } from './platform.ts';

export type AssessmentStatus = 'passed' | 'failed' | 'not_taken';

export interface ClassView {
  readonly platform_class_id: number;
  readonly viewed_at: Instant | null;
}

/** What a learner has reached in a course: the organic lane, one migrated contribution, or the join of them all. */
export interface Progress {
  readonly completion_pct: number;
  readonly classes: readonly ClassView[];
  readonly approved_course: 0 | 1;
  readonly certified_at: Instant | null;
  readonly started_at: Instant | null;
  readonly last_activity_at: Instant | null;
  readonly completed_at: Instant | null;
}

export type DatedField = 'certified_at' | 'started_at' | 'last_activity_at' | 'completed_at';

/** One migrated record as persisted beside the organic lane (§2.7): auditable, never lowered, removable. */
export interface Contribution extends Progress {
  readonly source: 'external_migration';
  readonly external_record_id: string;
  readonly import_id: string;
  /** Position of the record in its import. */
  readonly index: number;
  readonly imported_at: Instant;
  readonly external_ref: string | null;
  readonly score_pct: number | null;
  readonly assessment_status: AssessmentStatus | null;
  /** Dates that nobody sent: they default to `imported_at` and never beat a date that someone sent. */
  readonly defaulted: readonly DatedField[];
  /** Ids of classes whose `viewed_at` is such a default. */
  readonly defaulted_classes: readonly number[];
  /** Hash of the record as sent: ids resolved, dates normalised, before defaults (rule 12). */
  readonly content_hash: string;
}

export interface Pair {
  readonly user_id: number;
  readonly platform_course_id: number;
}

/** Everything stored about one learner in one course. `bytes` is the size of the stored item. */
export interface LearnerCourse extends Pair {
  readonly native: Progress | null;
  readonly contributions: readonly Contribution[];
  readonly bytes: number;
}

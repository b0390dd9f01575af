/** Progress of a learner in a course: what was reached, and every migrated record that adds to it. */
/** What becomes of a record: its result, what applying it writes, and the plan that holds both. */
/** An import: the status item that clients poll, and its chunks. */
/**
 * The nouns of the service, named as the interface names them. Dates are UTC instants with milliseconds
 * (`2026-01-02T03:04:05.678Z`) once they are inside the domain.
 */
import type { Problem, Warning } from './codes.ts';

/** What the platform owns: companies, users, courses, and the ids of the old system linked to them. */

export type Instant = string;
export type Role = 'admin' | 'customer';
export type License = 'active' | 'inactive';

export interface Company {
  readonly company_id: string;
  readonly name: string;
  readonly migrations_enabled: boolean;
  /** Base64url key that authenticates this company's list cursors; never leaves the service. */
  readonly cursor_key: string;
}

export interface User {
  readonly company_id: string;
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly avatar: string;
  readonly license: License;
  /** PHC string; absent for a user who cannot log in. */
  readonly password_hash?: string;
}

export interface CourseClass {
  readonly platform_class_id: number;
  readonly title: string;
}

export interface Course {
  readonly platform_course_id: number;
  readonly title: string;
  readonly has_exam: boolean;
  readonly classes: readonly CourseClass[];
}

/** Registered link of an external user id (in string form) to a user (§2.5). */
export interface UserMapping {
  readonly external_user_id: string;
  readonly email: string;
  readonly user_id: number;
  readonly updated_at: Instant;
}

/** Registered link of an external course id (in string form) to a catalog course (§2.6). */
export interface CourseMapping {
  readonly external_course_id: string;
  readonly platform_course_id: number;
  readonly updated_at: Instant;
}

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

export interface LearnerCourse {
  readonly user_id: number;
  readonly platform_course_id: number;
}

/** Everything stored about one learner in one course. `bytes` is the size of the stored item. */
export interface CourseHistory extends LearnerCourse {
  readonly native: Progress | null;
  readonly contributions: readonly Contribution[];
  readonly bytes: number;
}

/** The progress members of a record result: effective progress with this record applied, other records of its import left aside. */
export interface ResultProgress {
  readonly user_id: number;
  readonly platform_course_id: number;
  readonly completion_pct: number;
  readonly classes_viewed: number;
  readonly approved_course: 0 | 1;
  readonly certified_at: Instant | null;
  readonly started_at: Instant | null;
  readonly last_activity_at: Instant | null;
  readonly completed_at: Instant | null;
}

export type RecordStatus = 'success' | 'error' | 'pending';
export type Outcome = 'applied' | 'updated' | 'unchanged';

/** One result for every record, in the order sent (§4.2 operation 9). */
export interface RecordResult {
  readonly index: number;
  readonly external_record_id: string | null;
  readonly status: RecordStatus;
  readonly outcome: Outcome | null;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Warning[];
  readonly progress: ResultProgress | null;
}

/** What applying an accepted record writes; absent for rejected and `unchanged` records. */
export interface RecordWrite extends LearnerCourse {
  /** True unless a stored contribution of the same record proves that its id is bound to this pair already. */
  readonly claim: boolean;
  readonly contribution: Contribution;
  /** Earlier contributions of the same record that this one dominates, as import and index. */
  readonly replaces: readonly { readonly import_id: string; readonly index: number }[];
  /** Whether the learner-course item existed when the plan was made (a hint: INSERT or UPDATE first). */
  readonly exists: boolean;
}

export interface PlannedRecord {
  readonly result: RecordResult;
  readonly write?: RecordWrite;
}

/** The decision about one chunk, made once and carried out by every delivery. `records` is what was sent. */
export interface Plan {
  readonly records: readonly unknown[];
  readonly planned: readonly PlannedRecord[];
}

export type ImportStatus = 'validated' | 'processing' | 'success' | 'partial_success' | 'error';

export interface ImportCounts {
  readonly total: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly with_warnings: number;
}

/**
 * What became of a chunk, set once. Indexes are positions in the import. `conflict`: the id was bound to another pair first;
 * `failed`: closed unprocessed. Both override the plan.
 */
export interface ChunkSummary {
  readonly succeeded: number;
  readonly failed: number;
  readonly with_warnings: number;
  readonly conflict: readonly number[];
  readonly failed_indexes: readonly number[];
}

/** A consecutive run of records, processed by one message. */
export interface ChunkRef {
  readonly first_index: number;
  readonly size: number;
  /** Hash of the staged payload it was accepted with. */
  readonly payload_hash: string;
}

/** The status item that clients poll. */
export interface ImportItem {
  readonly company_id: string;
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly status: ImportStatus;
  readonly created_at: Instant;
  readonly completed_at: Instant | null;
  readonly total: number;
  /** Hash of the payload as JSON values, `dry_run` included: what the Idempotency-Key is bound to. */
  readonly fingerprint: string;
  /** Random id of the invocation that created it, so that its own retry is not called a replay. */
  readonly attempt_id: string;
  readonly chunks: readonly ChunkRef[];
  /** By chunk number; of a dry run all are there from the start. */
  readonly summaries: Readonly<Record<number, ChunkSummary>>;
  /** How often the watchdog has sent the missing chunks again. */
  readonly resends: number;
  /** When the watchdog looks next; absent once terminal. */
  readonly due_at?: Instant;
  /** Set when the watchdog starts to close missing chunks: no new work starts after it. */
  readonly closing_at?: Instant;
}

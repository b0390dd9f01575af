/** What becomes of a record: its result, what applying it writes, and the plan that holds both. */
import type { Problem, Warning } from '../codes.ts';
import type { Instant } from './platform.ts';
import type { Contribution, Pair } from './progress.ts';

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
export interface RecordWrite extends Pair {
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

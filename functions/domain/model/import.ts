/** An import: the status item that clients poll, and its chunks. */
import type { Instant } from './platform.ts';

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

/** Imports and their chunks: what is staged, committed, planned, summarised and settled. */
import type { ChunkSummary, ImportItem, ImportStatus, Instant, Plan } from '../../domain/model.ts';

/**
 * One chunk as staged before the commit. `duplicates`: positions in the import that repeat an earlier external_record_id.
 * `oversized`: positions of records that no item could hold; of those only the external_record_id is kept.
 */
export interface StagedChunk {
  readonly first_index: number;
  readonly records: readonly unknown[];
  readonly duplicates: readonly number[];
  readonly oversized: readonly number[];
}

export interface ChunkMessage {
  readonly company_id: string;
  readonly import_id: string;
  readonly chunk: number;
  readonly payload_hash: string;
}

export interface ChunkQueue {
  /** Sends all; entries that stay refused after retries make it throw `TemporarilyUnavailable`. */
  send(messages: readonly ChunkMessage[]): Promise<void>;
}

export interface ImportStore {
  /** Strongly consistent. */
  read(company_id: string, import_id: string): Promise<ImportItem | undefined>;
  /** Stages payload chunks under their hash; harmless to repeat. They expire; what is kept for good is the plan. */
  stage(company_id: string, import_id: string, chunks: readonly { hash: string; chunk: StagedChunk }[]): Promise<void>;
  /** Creates the import if absent. Answers the item that stands (ours or an earlier one). */
  commit(item: ImportItem): Promise<ImportItem>;
  /** One strongly consistent batch: the import, the plan of this chunk, its staged payload. */
  readChunk(message: ChunkMessage): Promise<{ import?: ImportItem; plan?: Plan; payload?: StagedChunk }>;
  readPayloads(company_id: string, import_id: string, hashes: readonly string[]): Promise<(StagedChunk | undefined)[]>;
  /** First write wins; answers the plan that stands. */
  putPlan(company_id: string, import_id: string, chunk: number, plan: Plan): Promise<Plan>;
  /** The report of a dry run, under its own attempt. */
  putReport(company_id: string, import_id: string, attempt_id: string, plans: readonly Plan[]): Promise<void>;
  /** Removes the report of an attempt that lost the race to commit. */
  dropReport(company_id: string, import_id: string, attempt_id: string, chunks: number): Promise<void>;
  /** Plans of these chunks (of a dry run: the report its item names), strongly consistent, absent ones `undefined`. */
  readPlans(item: ImportItem, chunks: readonly number[]): Promise<(Plan | undefined)[]>;
  /** Sets the summary if absent and the import is open, moves `due_at` if given. Answers the import as it then stands. */
  setSummary(
    company_id: string,
    import_id: string,
    chunk: number,
    summary: ChunkSummary,
    due_at?: Instant,
  ): Promise<ImportItem | undefined>;
  /** Sets the terminal status if the import is open. Answers the import as it then stands, and whether this call did it. */
  settle(
    company_id: string,
    import_id: string,
    status: ImportStatus,
    completed_at: Instant,
  ): Promise<{ item: ImportItem; settled: boolean }>;
  /** Open imports due at or before this instant, oldest due first (eventually consistent index). Without it: every open import. */
  listOpen(due_before?: Instant): AsyncIterable<{ company_id: string; import_id: string }>;
  /** Counts a re-send before it happens, if the import is open and still at `resends`. False if somebody else was first. */
  countResend(item: ImportItem, due_at: Instant): Promise<boolean>;
  /** Sets `closing_at` if open and absent; moves `due_at`. Answers the import as it then stands. */
  startClosing(item: ImportItem, closing_at: Instant, due_at: Instant): Promise<ImportItem | undefined>;
  /** Newest first, up to `limit` items, strictly after the position. */
  list(company_id: string, limit: number, after?: { created_at: Instant; import_id: string }): Promise<ImportItem[]>;
}

/** A chunk of records between the request that sent it and its plan. */
import { planErased } from './person.ts';
import { OVERSIZED } from './parse.ts';
import { DUPLICATE, pendingResult, rejectedRecord } from './result.ts';
import type { ChunkRef, Plan, PlannedRecord, RecordResult, Problem, Warning } from '../shared/model.ts';

/** `duplicates`: positions that repeat an earlier id. `oversized`: positions of which only the id is kept. */
export interface StagedChunk {
  readonly first_index: number;
  readonly records: readonly unknown[];
  readonly duplicates: readonly number[];
  readonly oversized: readonly number[];
  /** Warnings by position in the import, about members that the interface does not define: those are not stored. */
  readonly ignored?: Readonly<Record<number, Warning>> | undefined;
  /** Positions of records whose person was erased; nothing of them is left. */
  readonly erased?: readonly number[];
  /** Of an import of a plan: what the plan rejected, by position in the import. It is rejected again, with this result. */
  readonly rejected?: Readonly<Record<number, RecordResult>>;
  /** Of an import of a plan: what each record of the chunk may write (`expected.ts`). */
  readonly expected?: readonly string[];
}

/** The decision about a record before it is read: its person was erased, its plan or the text of the batch rejects it. */
export function decidedAsStaged(
  { duplicates, oversized, erased = [], rejected = {} }: StagedChunk,
  raw: unknown,
  index: number,
): PlannedRecord | undefined {
  if (erased.includes(index)) return planErased(index);
  const result = rejected[index];
  if (result !== undefined) return { result };
  if (duplicates.includes(index)) return rejectedRecord(raw, index, DUPLICATE);
  return oversized.includes(index) ? rejectedRecord(raw, index, OVERSIZED) : undefined;
}

/** The plan of a chunk whose records are all rejected for one reason, except those whose person was erased. */
export function rejectedChunk({ records, first_index, erased = [] }: StagedChunk, reason: Problem): Plan {
  const planned = records.map((raw, offset) => {
    const index = first_index + offset;
    return erased.includes(index) ? planErased(index) : rejectedRecord(raw, index, reason);
  });
  return { records, planned };
}

/** Stands for a chunk whose payload is gone: as many records, each `null`. */
export function emptyChunk({ first_index, size }: ChunkRef): StagedChunk {
  return { first_index, records: Array.from({ length: size }, () => null), duplicates: [], oversized: [] };
}

export function pendingIn({ records, first_index, erased = [] }: StagedChunk, offset: number): RecordResult {
  const result = pendingResult(records[offset], first_index + offset);
  return erased.includes(result.index) ? { ...result, erased: true } : result;
}

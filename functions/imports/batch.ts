import { externalRecordIdOf } from '../records/identifiers.ts';
import { jsonBytes } from '../records/json.ts';
import type { RecordRun } from '../records/result.ts';

/**
 * Positions that repeat the `external_record_id` of an earlier record (§7.3 `duplicate_external_record_id`). Judged over the
 * whole batch; the first occurrence counts, even if it is rejected for something else.
 */
export function duplicatesIn(records: readonly unknown[]): number[] {
  const seen = new Set<string>();
  const repeats: number[] = [];
  for (const [index, raw] of records.entries()) {
    const id = externalRecordIdOf(raw);
    if (id === null) continue;
    if (seen.has(id)) repeats.push(index);
    seen.add(id);
  }
  return repeats;
}

/**
 * Splits a batch into consecutive runs of at most `records` records and `bytes` UTF-8 bytes of JSON. A record that is larger
 * by itself gets a run of its own.
 */
export function chunksOf(records: readonly unknown[], limits: { records: number; bytes: number }): RecordRun[] {
  const runs: RecordRun[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [index, raw] of records.entries()) {
    const size = jsonBytes(raw) + ','.length;
    const current = runs.at(-1);
    if (current !== undefined && current.records.length < limits.records && bytes + size <= limits.bytes) {
      current.records.push(raw);
      bytes += size;
    } else {
      runs.push({ first_index: index, records: [raw] });
      bytes = size + '[]'.length;
    }
  }
  return runs;
}

import { UsageFault } from '../faults.ts';
import type { Reading } from './reading.ts';

/** What one pass over the whole file has shown; nothing is sent before it is done. */
export interface Survey {
  readonly rows: number;
  /** Of each chunk: what it must still hold when it is sent. */
  readonly digests: readonly string[];
  readonly sizes: readonly number[];
}

/** @throws SourceFault for the first place that cannot be read, UsageFault for a file without rows */
export async function survey(reading: Reading, onRows: (rows: number) => void = () => {}): Promise<Survey> {
  const digests: string[] = [];
  const sizes: number[] = [];
  let rows = 0;
  for await (const { digest, records } of reading.chunks()) {
    digests.push(digest);
    sizes.push(records.length);
    rows += records.length;
    onRows(rows);
  }
  if (rows === 0) throw new UsageFault(`${reading.source.path} holds no rows`);
  return { rows, digests, sizes };
}

/** Rows whose record has the id of an earlier one: most say it once more, some say something else. */
import type { RecordSet } from '../../engine/apply/record-set.ts';

/** Whether the record of a row says something else than the first one with its id. */
export type IsOtherwise = (path: string, line: number) => boolean;

const keyOf = (path: string, line: number): string => `${line} ${path}`;

/** Reads the files twice: only where records are repeated. */
export async function otherRepeats(set: RecordSet): Promise<IsOtherwise> {
  const firsts = new Map<string, string>();
  for await (const { repeats } of set.chunks())
    for (const { first } of repeats) firsts.set(keyOf(first.file, first.line), '');
  const others = new Set<string>();
  for await (const { file, entries, repeats } of set.chunks()) {
    for (const { row, record } of entries) {
      const key = keyOf(file, row.line);
      if (firsts.has(key)) firsts.set(key, JSON.stringify(record));
    }
    for (const { entry, first } of repeats)
      if (firsts.get(keyOf(first.file, first.line)) !== JSON.stringify(entry.record))
        others.add(keyOf(file, entry.row.line));
  }
  return (path, line) => others.has(keyOf(path, line));
}

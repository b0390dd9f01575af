import type { JournalStore } from '../../../../bin/importer/engine/run/journal.ts';

/** A journal in memory. */
export function memoryStore(lines: string[] = []): JournalStore & { readonly lines: string[] } {
  return {
    lines,
    read: async () => lines,
    append: async (line) => void lines.push(line),
  };
}

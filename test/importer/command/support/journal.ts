import type { JournalStore } from '../../../../bin/importer/engine/run/journal.ts';

export const ORIGIN = { file: 'history.csv', mapping: null, options: {}, base_url: 'http://x', company_id: 'acme' };

/** A journal in memory. */
export function memoryStore(lines: string[] = []): JournalStore & { readonly lines: string[] } {
  return {
    lines,
    read: async () => lines,
    append: async (line) => void lines.push(line),
  };
}

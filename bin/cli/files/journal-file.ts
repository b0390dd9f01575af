/** Journals as files of this user, one for each run. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Journal, type JournalStore } from '../../importer/run/journal.ts';

const EXTENSION = '.ndjson';

/** @param name `journalName` */
export function journalFile(folder: string, name: string): JournalStore {
  const path = join(folder, `${name}${EXTENSION}`);
  return {
    async read() {
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    },
    async append(line) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Synchronous, so that the line exists if the process is killed right after it.
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    },
  };
}

/** The journal of an import that was sent from this machine. */
export async function journalOfImport(folder: string, import_id: string): Promise<Journal | undefined> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((each) => each.endsWith(EXTENSION))) {
    const journal = await Journal.read(journalFile(folder, name.slice(0, -EXTENSION.length)));
    if (journal.positionOf(import_id) !== undefined) return journal;
  }
  return undefined;
}

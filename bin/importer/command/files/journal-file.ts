/** Journals as files of this user, one for each run. */
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalStore } from '../../engine/run/journal.ts';
import { CONFIG_ADVICE, makePrivateFolder } from './config-folder.ts';
import { PRIVATE_MODE, refusing } from './whole-file.ts';

const EXTENSION = '.ndjson';

const ADVICE = `The import keeps there which batches were accepted, so no more of them are sent. ${CONFIG_ADVICE}`;

/** @param name `journalName` */
export function journalFile(folder: string, name: string): JournalStore {
  const path = join(folder, `${name}${EXTENSION}`);
  // A disk that was full, or a kill, may have left a part of a line.
  let mayEndInLine = true;
  return {
    async read() {
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    },
    async append(line) {
      makePrivateFolder(folder);
      refusing(path, ADVICE, () => {
        const start = mayEndInLine && endsInLine(path) ? '\n' : '';
        mayEndInLine = true;
        // Synchronous, so that the line exists if the process is killed right after it.
        appendFileSync(path, `${start}${line}\n`, { mode: PRIVATE_MODE });
        mayEndInLine = false;
      });
    },
  };
}

function endsInLine(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    const { size } = fstatSync(file);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } finally {
    closeSync(file);
  }
}

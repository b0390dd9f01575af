import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE_MODE, refusing } from './whole-file.ts';
import type { RowSpool } from '../../engine/records/row-spool.ts';

/** What to do if a temporary file cannot be written. */
export const TEMPORARY_ADVICE =
  'Free some space, or name another folder with TMPDIR (TEMP on Windows), then run the same command again.';

/** A spool of temporary files, which only this user can read; they are removed when it is cleared and when the process ends. */
export function temporaryRows(): RowSpool {
  let folder: string | undefined;
  const clear = (): void => {
    process.off('exit', clear);
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  const pathOf = (part: number): string => {
    if (folder === undefined) {
      folder = refusing(tmpdir(), TEMPORARY_ADVICE, () => mkdtempSync(join(tmpdir(), 'course-progress-migration-')));
      // Ctrl-C ends the process at once.
      process.once('exit', clear);
    }
    return join(folder, String(part));
  };
  return {
    append: (part, text) => {
      const path = pathOf(part);
      refusing(path, TEMPORARY_ADVICE, () => appendFileSync(path, text, { mode: PRIVATE_MODE }));
    },
    read: (part) => createReadStream(pathOf(part), 'utf8'),
    clear,
  };
}

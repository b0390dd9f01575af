import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowSpool } from '../../importer/records/row-spool.ts';

/** A spool of temporary files, which only this user can read; they are removed when it is cleared and when the process ends. */
export function temporaryRows(): RowSpool {
  let folder: string | undefined;
  const clear = (): void => {
    process.off('exit', clear);
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  const pathOf = (part: number): string => {
    if (folder === undefined) {
      folder = mkdtempSync(join(tmpdir(), 'course-progress-migration-'));
      // Ctrl-C ends the process at once.
      process.once('exit', clear);
    }
    return join(folder, String(part));
  };
  return {
    append: (part, text) => appendFileSync(pathOf(part), text, { mode: 0o600 }),
    read: (part) => createReadStream(pathOf(part), 'utf8'),
    clear,
  };
}

import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowSpool } from '../../engine/apply/row-groups.ts';
import { PRIVATE_MODE, refusing } from './whole-file.ts';

export const TEMPORARY_ADVICE =
  'Free some space, or name another folder with TMPDIR (TEMP on Windows), then run the same command again.';

const prefix = (): string => join(tmpdir(), 'course-progress-migration-');

export const isTemporary = (path: string): boolean => path.startsWith(prefix());

/** A folder that is made when it is needed, and removed at the end of its use and of the process: Ctrl-C ends that at once. */
export class TemporaryFolder {
  #folder: string | undefined;
  readonly remove = (): void => {
    process.off('exit', this.remove);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  };

  path(name: string): string {
    if (this.#folder === undefined) {
      this.#folder = refusing(tmpdir(), TEMPORARY_ADVICE, () => mkdtempSync(prefix()));
      process.once('exit', this.remove);
    }
    return join(this.#folder, name);
  }
}

export function temporaryRows(): RowSpool {
  const folder = new TemporaryFolder();
  return {
    append(part, text) {
      const path = folder.path(String(part));
      refusing(path, TEMPORARY_ADVICE, () => appendFileSync(path, text, { mode: PRIVATE_MODE }));
    },
    read: (part) => createReadStream(folder.path(String(part)), 'utf8'),
    clear: folder.remove,
  };
}

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders that were not used for a week are deleted when another is made. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** `make` fills a draft, which then gets the name: the folder appears complete or not at all, whoever else makes it. */
export async function madeOnce(folder: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return utimesSync(folder, new Date(), new Date());
  deleteUnused(dirname(folder));
  const draft = `${folder}.${randomUUID()}`;
  mkdirSync(draft, { recursive: true });
  try {
    await make(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
  } catch (error) {
    // Another process may have been faster by a moment.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function deleteUnused(folders: string): void {
  if (!existsSync(folders)) return;
  for (const name of readdirSync(folders)) {
    const path = join(folders, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

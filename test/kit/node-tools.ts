/** Commands from npm, every package pinned by a lock file; installed once, and again when that changes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache');
const FILES = ['package.json', 'package-lock.json'];

/** Runs no script of a package. Returns the folder that has `node_modules`. */
export function nodeTools(name: string, manifests: string): string {
  const lock = readFileSync(join(manifests, 'package-lock.json'));
  const folder = join(CACHE, `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (!existsSync(join(folder, 'complete'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of FILES) copyFileSync(join(manifests, file), join(folder, file));
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', options, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
    writeFileSync(join(folder, 'complete'), '');
  }
  return folder;
}

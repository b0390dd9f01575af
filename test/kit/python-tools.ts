/**
 * Commands from PyPI, every package pinned to its content; installed once, and again when the pins change.
 * `uv pip compile --no-deps --generate-hashes` writes the hashes of new versions.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache');

/** Returns the folder of the commands. */
export function pythonTools(name: string, requirements: string): string {
  mkdirSync(CACHE, { recursive: true });
  // Its commands name the folder that they were installed in: behind a link, that is the folder that stays.
  const cache = realpathSync(CACHE);
  const pins = createHash('sha256').update(readFileSync(requirements)).update(cache).digest('hex').slice(0, 12);
  const folder = join(cache, `${name}-${pins}`);
  const commands = join(folder, 'bin');
  if (!existsSync(join(folder, 'complete'))) {
    rmSync(folder, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const quietly = ['--quiet', '--disable-pip-version-check'];
    const pinned = ['--no-deps', '--require-hashes', '--requirement', requirements];
    execFileSync(join(commands, 'pip'), ['install', ...quietly, ...pinned], { stdio: 'inherit' });
    writeFileSync(join(folder, 'complete'), '');
  }
  return commands;
}

/** What the documents are tested with from PyPI, in an environment of its own, every package pinned; made once, and again when the pins change. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache');

/** @returns the folder of its commands */
export function installPythonTools(): string {
  const pins = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(CACHE, `test-docs-${pins}`);
  const commands = join(folder, 'bin');
  if (!existsSync(join(folder, 'complete'))) {
    rmSync(folder, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', REQUIREMENTS];
    execFileSync(join(commands, 'pip'), pip, { stdio: 'inherit' });
    writeFileSync(join(folder, 'complete'), '');
  }
  return commands;
}

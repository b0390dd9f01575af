/** MiniStack and cfn-lint in an environment of their own, pinned to the last package; made once, and again when the pins change. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache');

/** @returns the path of the command */
export function pythonTool(name: 'ministack' | 'cfn-lint'): string {
  const pins = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(CACHE, `rehearsal-${pins}`);
  if (!existsSync(join(folder, 'bin', name))) {
    rmSync(folder, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', REQUIREMENTS];
    execFileSync(join(folder, 'bin', 'pip'), pip, { stdio: 'inherit' });
  }
  return join(folder, 'bin', name);
}

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const PROJECT = resolve(import.meta.dirname, '../..');

/** `1.0.0`: the version of the interface. */
export const packageVersion = (): string => packageJson.version;

/** @throws Error where git, or a repository, is missing */
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** `1.0.0+28209b8c5e0d`: with the commit, and `.changed` if files differ from it. Without git, the version alone. */
export function checkoutVersion(): string {
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '.changed';
    return `${packageVersion()}+${git('rev-parse', '--short=12', 'HEAD')}${changed}`;
  } catch {
    return packageVersion();
  }
}

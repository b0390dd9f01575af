import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');

/** `1.0.0`: the version of the interface. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(resolve(PROJECT, 'package.json'), 'utf8')) as { version: string };
  return version;
}

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

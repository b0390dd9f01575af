/** The number of files that a reader opens to follow a call. A process of its own; costs a second. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EnteredFiles } from './files-entered.ts';

const MOST: Readonly<Record<string, number>> = {
  'POST import to stored contribution': 62,
  'GET import': 24,
  login: 28,
};

const SCRIPT = join(import.meta.dirname, 'files-entered.ts');
const entered = JSON.parse(
  execFileSync(process.execPath, [SCRIPT, '--json'], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } }),
) as EnteredFiles[];

it.each(Object.entries(MOST))('%s enters at most %i files', (path, most) => {
  const files = entered.find((one) => one.path === path)?.files ?? [];
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThanOrEqual(most);
});

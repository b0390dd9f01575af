/** What the two commands do on a machine without Java. Costs a second. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const withoutJava = temporaryFolder('without-java');

it.each(['main.ts', 'traces/main.ts'])('%s: without Java, nothing is checked, which is a failure in CI', (file) => {
  const run = (CI: string) => {
    const env = { ...process.env, PATH: withoutJava, CI };
    return spawnSync(process.execPath, [join(import.meta.dirname, file)], { env, encoding: 'utf8' });
  };
  const skipped = expect.stringMatching(/^Skipped: .*needs Java 11/);
  expect(run('')).toMatchObject({ status: 0, stdout: skipped, stderr: '' });
  const refused = expect.stringMatching(/Skipped, which is a failure where CI=true\. .*needs Java 11/);
  expect(run('true')).toMatchObject({ status: 1, stdout: '', stderr: refused });
});

/**
 * `npm run test:mutation`: installs Stryker from the lock file of this folder once, and runs it with the options that are passed.
 * `-- --protocol` tries the mutants of the protocol instead (`protocol/main.ts`).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeTools } from '../kit/node-tools.ts';

const [first, ...rest] = process.argv.slice(2);

function run(command: string, options: readonly string[]): void {
  process.exitCode = spawnSync(command, options, { stdio: 'inherit' }).status ?? 1;
}

if (first === '--protocol') {
  run(process.execPath, [join(import.meta.dirname, 'protocol/main.ts'), ...rest]);
} else {
  const stryker = join(nodeTools('mutation', join(import.meta.dirname, 'stryker')), 'node_modules/.bin/stryker');
  run(stryker, ['run', 'test/mutation/stryker.config.json', ...process.argv.slice(2)]);
}

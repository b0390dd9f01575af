/** `npm run test:mutation`: installs Stryker from the lock file of this folder once, and runs it with the options that are passed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeTools } from '../kit/node-tools.ts';

const stryker = join(nodeTools('mutation', join(import.meta.dirname, 'stryker')), 'node_modules/.bin/stryker');
const options = ['run', 'test/mutation/stryker.config.json', ...process.argv.slice(2)];
process.exitCode = spawnSync(stryker, options, { stdio: 'inherit' }).status ?? 1;

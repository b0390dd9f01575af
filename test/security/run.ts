/**
 * `npm run test:security`: bounded for CI. `-- --long` sends a million requests in the fuzz.
 * `-- --supply-chain` checks the packages instead, `-- --secrets` the commits.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { historyIsClean, packagesAreClean } from './supply-chain.ts';

const yes = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
  options: { long: yes, 'supply-chain': yes, secrets: yes },
  allowPositionals: true,
});
if (values['supply-chain']) process.exit((await packagesAreClean()) ? 0 : 1);
if (values.secrets) process.exit(historyIsClean() ? 0 : 1);
const bin = join(import.meta.dirname, '../../node_modules/.bin');
const config = join(import.meta.dirname, 'vitest.config.ts');
const { status } = spawnSync(join(bin, 'vitest'), ['run', '--config', config, ...positionals], {
  stdio: 'inherit',
  env: { ...process.env, ...(values.long && { SECURITY_RUN: 'long' }) },
});
process.exitCode = status ?? 1;

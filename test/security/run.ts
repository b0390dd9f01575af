/**
 * `npm run test:security`: bounded for CI, about four minutes on two cores. `-- --long` multiplies every volume. `-- --supply-chain`
 * checks the packages and the commits instead.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { supplyChainIsClean } from './supply-chain.ts';

const yes = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
  options: { long: yes, 'supply-chain': yes, audited: yes },
  allowPositionals: true,
});
if (values['supply-chain']) process.exit((await supplyChainIsClean(values.audited)) ? 0 : 1);
const bin = join(import.meta.dirname, '../../node_modules/.bin');
const config = join(import.meta.dirname, 'vitest.config.ts');
const { status } = spawnSync(join(bin, 'vitest'), ['run', '--config', config, ...positionals], {
  stdio: 'inherit',
  env: { ...process.env, SECURITY_RUN: values.long ? 'long' : 'bounded' },
});
process.exitCode = status ?? 1;

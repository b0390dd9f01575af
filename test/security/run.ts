/** `npm run test:security`: bounded for CI, about four minutes on two cores. `-- --long` multiplies every volume. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });
const bin = join(import.meta.dirname, '../../node_modules/.bin');
const config = join(import.meta.dirname, 'vitest.config.ts');
const { status } = spawnSync(join(bin, 'vitest'), ['run', '--config', config, ...positionals], {
  stdio: 'inherit',
  env: { ...process.env, SECURITY_RUN: values.long === true ? 'long' : 'bounded' },
});
process.exitCode = status ?? 1;

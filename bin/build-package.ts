/**
 * Builds what the package exports into `dist/`: the command and the client as plain JavaScript for Node 20 and later,
 * and the client's types. Runs after `npm ci` and before `npm pack`.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { inputsOf, noticesOf } from './bundle/notices.ts';

const PROJECT = join(import.meta.dirname, '..');

const { metafile } = await build({
  entryPoints: { cli: join(PROJECT, 'bin/cli.ts'), client: join(PROJECT, 'bin/client/index.ts') },
  outdir: join(PROJECT, 'dist'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  absWorkingDir: PROJECT,
  logLevel: 'warning',
  // Some of the bundled packages load the modules of Node with `require`.
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
  },
});

await stop();

for (const [name, text] of noticesOf(inputsOf(metafile), PROJECT)) writeFileSync(join(PROJECT, 'dist', name), text);

const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
const types = spawnSync(process.execPath, [compiler, '-p', join(PROJECT, 'bin/client/tsconfig.json')], {
  stdio: 'inherit',
});
if (types.status !== 0)
  throw new Error('The types of the client were not built: correct what the compiler reports above.');

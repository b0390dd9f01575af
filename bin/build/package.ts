/** `npm run build`: the command and the client as plain JavaScript, each file at once, and the client's types. */
import { spawnSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { inputsOf, noticesOf } from './notices.ts';

const PROJECT = join(import.meta.dirname, '../..');
const DIST = join(PROJECT, 'dist');

const { name, version, description, license, dependencies } = packageJson;
const manifest = {
  name,
  version,
  private: true,
  description,
  license,
  type: 'module',
  sideEffects: false,
  bin: { [name]: 'cli.js' },
  exports: { './client': { types: './types/bin/importer/client/index.d.ts', default: './client.js' } },
  // The types refer to it. The JavaScript needs no other package.
  dependencies: { valibot: dependencies.valibot },
  engines: { node: '>=20' },
};

const { metafile, outputFiles } = await build({
  entryPoints: {
    cli: join(PROJECT, 'bin/importer/command/main.ts'),
    client: join(PROJECT, 'bin/importer/client/index.ts'),
  },
  outdir: DIST,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  write: false,
  absWorkingDir: PROJECT,
  logLevel: 'warning',
  // Some of the bundled packages load the modules of Node with `require`.
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
  },
});

await stop();

const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
const types = spawnSync(process.execPath, [compiler, '-p', join(PROJECT, 'bin/importer/client/tsconfig.json')], {
  stdio: 'inherit',
});
if (types.status !== 0)
  throw new Error('The types of the client were not built: correct what the compiler reports above.');

const texts = [...noticesOf(inputsOf(metafile), PROJECT), ['package.json', JSON.stringify(manifest, null, 2)] as const];
for (const [file, text] of texts) writeFileSync(join(DIST, file), text);

for (const { path, contents } of outputFiles) {
  const whole = `${path}.${process.pid}`;
  writeFileSync(whole, contents, { mode: 0o755 });
  renameSync(whole, path);
}

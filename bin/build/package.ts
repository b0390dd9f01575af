/** `npm run build`: the command and the client as plain JavaScript, each file at once, and the client's types. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, stop } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { documentsOf } from './documents.ts';
import { dataOfFolders } from './plugins.ts';
import { inputsOf, noticesOf } from './notices.ts';
import { buildTypes } from './types.ts';

const PROJECT = join(import.meta.dirname, '../..');
const DIST = join(PROJECT, 'dist');

const { name, version, description, license, dependencies, devDependencies, exports: doors } = packageJson;

/** As those of the checkout, from within `dist`. */
const fromDist = ({ types, default: code }: { types: string; default: string }) => ({
  types: types.replace('./dist/', './'),
  default: code.replace('./dist/', './'),
});

/** Of the app that takes the construct. The command and the client do without. */
const peers = ['aws-cdk-lib', 'constructs'] as const;

const manifest = {
  name,
  version,
  private: true,
  description,
  license,
  type: 'module',
  sideEffects: false,
  bin: { [name]: 'cli.js' },
  exports: { './client': fromDist(doors['./client']), './cdk': fromDist(doors['./cdk']) },
  // The types refer to it. The JavaScript of command and client needs no other package.
  dependencies: { valibot: dependencies.valibot },
  peerDependencies: Object.fromEntries(peers.map((peer) => [peer, `^${devDependencies[peer]}`])),
  peerDependenciesMeta: Object.fromEntries(peers.map((peer) => [peer, { optional: true }])),
  engines: { node: '>=20' },
};

const { metafile, outputFiles } = await build({
  entryPoints: {
    cli: join(PROJECT, 'bin/importer/command/main.ts'),
    client: join(PROJECT, 'bin/importer/client/index.ts'),
  },
  outdir: DIST,
  bundle: true,
  plugins: [dataOfFolders],
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

buildTypes('bin/importer/client');

const texts = [
  ...documentsOf(PROJECT, { name, description }),
  ...noticesOf(inputsOf(metafile), PROJECT),
  ['package.json', JSON.stringify(manifest, null, 2)] as const,
];
for (const [file, text] of texts) {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  writeFileSync(join(DIST, file), text);
}

for (const { path, contents } of outputFiles) {
  const whole = `${path}.${process.pid}`;
  writeFileSync(whole, contents, { mode: 0o755 });
  renameSync(whole, path);
}

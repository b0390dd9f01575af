/** Bundles every function in one esbuild call; the stack and the local stack both take the folders written here. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { leanSdk } from '../lib/bundle/lean-sdk.ts';
import { functionSources } from '../lib/function-sources.ts';
import { compressedJson } from './compressed-json.ts';

const PROJECT = resolve(import.meta.dirname, '..');

const replacement = (file: string): string => join(PROJECT, 'lib', 'bundle', file);

/** What loads slowly or never runs on Lambda, and what stands in for it; single files inside the SDK: `leanSdk`. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  'node:http': replacement('http.cjs'),
  'node:https': replacement('https.cjs'),
  'node:http2': replacement('http2.cjs'),
  '@aws-sdk/credential-provider-node': replacement('environment-credentials.ts'),
  '@aws-sdk/middleware-endpoint-discovery': replacement('no-endpoint-discovery.ts'),
  '@smithy/core/event-streams': replacement('no-event-streams.ts'),
};

export interface BuildOptions {
  /** Where `functions/` stands; the project itself by default. */
  readonly sources?: string;
  readonly outputs?: string;
}

/**
 * Writes `<outputs>/functions/<name>/index.mjs`, one folder a function, and the source maps beside `functions` so that they
 * are not deployed. A file whose content has not changed is left alone: other processes may be running it.
 *
 * @returns the folder that holds one folder a function
 */
export async function buildFunctions(options: BuildOptions = {}): Promise<string> {
  const sources = options.sources ?? PROJECT;
  const outputs = options.outputs ?? join(PROJECT, '.build');
  const folder = join(outputs, 'functions');
  const bundled = await build({
    entryPoints: [...functionSources()].map(([name, file]) => ({ in: join(sources, file), out: `${name}/index` })),
    absWorkingDir: PROJECT,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // ES modules first: they can be shaken, which halves the AWS SDK.
    mainFields: ['module', 'main'],
    alias: REPLACEMENTS,
    plugins: [compressedJson, leanSdk],
    // CommonJS packages that are left may ask for built-in modules, and for nothing else.
    banner: { js: 'const require=(id)=>process.getBuiltinModule(id);' },
    sourcemap: 'external',
    legalComments: 'none',
    // What fails is in the exception.
    logLevel: 'silent',
    write: false,
  });
  const mapOf = (path: string): string => join(outputs, 'source-maps', `${basename(dirname(path))}.mjs.map`);
  await Promise.all(
    bundled.outputFiles.map(({ path, contents }) =>
      writeIfChanged(path.endsWith('.map') ? mapOf(path) : path, contents),
    ),
  );
  return folder;
}

/** A deployable folder: the data loader's bundle and the data file beside it. `fileHash` changes with the file. */
export interface SandboxData {
  readonly folder: string;
  readonly fileHash: string;
}

/** Copies the data file next to a copy of the bundle; each file has a folder of its own, so builds do not disturb each other. */
export async function bundleSandboxData(
  bundle: string,
  dataFile: string,
  outputs = join(PROJECT, '.build'),
): Promise<SandboxData> {
  const [code, data] = await Promise.all([readFile(join(bundle, 'index.mjs')), readFile(dataFile)]);
  const fileHash = createHash('sha256').update(data).digest('hex');
  const folder = join(outputs, 'sandbox-data', fileHash);
  await Promise.all([
    writeIfChanged(join(folder, 'index.mjs'), code),
    writeIfChanged(join(folder, 'sandbox-data.json'), data),
  ]);
  return { folder, fileHash };
}

async function writeIfChanged(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present !== undefined && present.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, contents);
  await rename(draft, path);
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { functionSources } from '../../lib/function-sources.ts';
import type { SandboxData } from '../../lib/sandbox/sandbox-data.ts';
import { builtPage } from './page.ts';
import { type InputsOfOutput, noticesOf } from './notices.ts';
import { builtInHttp, compressedJson, reducedSdk } from './plugins.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

const part = (file: string): string => join(PROJECT, 'bin', 'build', file);

/** Parts of the AWS SDK that never run on Lambda, and their replacements. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': part('environment-credentials.ts'),
  '@aws-sdk/middleware-endpoint-discovery': part('unused-sdk-parts.ts'),
  '@smithy/core/event-streams': part('unused-sdk-parts.ts'),
};

interface BuildOptions {
  readonly outputs?: string;
  /** Default: true. Without them a build takes two thirds of the time. */
  readonly sourceMaps?: boolean;
}

/** Files with the same content are left: others may run them. @throws BuildFailure from esbuild, with every error */
export async function buildFunctions({
  outputs = join(PROJECT, '.build'),
  sourceMaps = true,
}: BuildOptions = {}): Promise<string> {
  const folder = join(outputs, 'functions');
  const bundled = await build({
    entryPoints: [...functionSources()].map(([name, file]) => ({ in: join(PROJECT, file), out: `${name}/index` })),
    absWorkingDir: PROJECT,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // ES modules first: esbuild can drop their unused exports, which halves the AWS SDK.
    mainFields: ['module', 'main'],
    alias: REPLACEMENTS,
    plugins: [builtInHttp, compressedJson, reducedSdk],
    // The remaining CommonJS packages require built-in modules only.
    banner: { js: 'const require=(id)=>process.getBuiltinModule(id);' },
    sourcemap: sourceMaps && 'external',
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    write: false,
  });
  const mapOf = (path: string): string => join(outputs, 'source-maps', `${basename(dirname(path))}.mjs.map`);
  // The function of the page reads its files from beside its bundle.
  const page = await builtPage();
  await writeIfChanged(join(folder, 'serve-page', 'site.json'), Buffer.from(JSON.stringify(page.site)));
  const containedIn = (path: string): InputsOfOutput => (basename(dirname(path)) === 'serve-page' ? page.inputs : {});
  await Promise.all(
    bundled.outputFiles.map(({ path, contents }) =>
      writeIfChanged(path.endsWith('.map') ? mapOf(path) : path, contents),
    ),
  );
  await Promise.all(
    Object.entries(bundled.metafile.outputs)
      .filter(([path]) => path.endsWith('.mjs'))
      .flatMap(([path, { inputs }]) =>
        [...noticesOf({ ...inputs, ...containedIn(path) }, PROJECT)].map(([name, text]) =>
          writeIfChanged(join(PROJECT, dirname(path), name), Buffer.from(text)),
        ),
      ),
  );
  return folder;
}

/** Copies bundle and data file (`deployableFile`) into a folder named by the file's hash: builds do not collide. */
export async function bundleSandboxData(
  bundle: string,
  data: Uint8Array,
  outputs = join(PROJECT, '.build'),
): Promise<SandboxData> {
  const code = await readFile(join(bundle, 'index.mjs'));
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

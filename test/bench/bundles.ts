/** Size of every function's bundle, as deployed and as esbuild makes it without any tuning. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { builtStack } from '../../bin/local/built-stack.ts';
import { functionSources } from '../../lib/function-sources.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

export interface BundleSize {
  readonly bytes: number;
  readonly gzip: number;
  /** Whether it carries a DynamoDB client. */
  readonly database: boolean;
}

export async function bundleSizes(folder?: string): Promise<ReadonlyMap<string, BundleSize>> {
  const built = folder ?? (await builtStack()).bundles;
  const sizes = [...functionSources().keys()].map(async (name) => {
    const code = await readFile(join(built, name, 'index.mjs'));
    return [
      name,
      { bytes: code.byteLength, gzip: gzipSync(code).byteLength, database: code.includes('DynamoDB_20120810') },
    ] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** The same functions as a plain `esbuild --bundle --minify --platform=node --format=esm` leaves them. */
export async function withPlainBuild<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-build-'));
  try {
    await build({
      entryPoints: [...functionSources()].map(([name, file]) => ({ in: join(PROJECT, file), out: `${name}/index` })),
      absWorkingDir: PROJECT,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
      logLevel: 'silent',
    });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the page for people: scripts and styles under names with a hash of their content, compressed. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import type { Site, SiteFile } from '../../functions/shared/site.ts';

const PAGE = join(import.meta.dirname, '../page');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The worker is built first, because the script names its file.
 *
 * @throws BuildFailure from esbuild, with every error; an import of Node is one
 */
export async function builtPage(): Promise<Site> {
  const worker = await bundle({ worker: 'worker/main.ts' }, {});
  const page = await bundle({ page: 'main.tsx', style: 'style/page.css' }, { WORKER: nameOf(worker, 'worker') });
  const icon = await readFile(join(PAGE, 'icon.svg'));
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`;
  const html = (await readFile(join(PAGE, 'page.html'), 'utf8'))
    .replace('{{script}}', nameOf(page, 'page', '.js'))
    .replace('{{style}}', nameOf(page, 'style', '.css'))
    .replace('{{icon}}', iconName);
  const files = [...worker, ...page].map(({ path, contents }) => [basename(path), fileOf(path, contents)] as const);
  return { html, files: { ...Object.fromEntries(files), [iconName]: fileOf(iconName, icon) } };
}

const fileOf = (path: string, contents: Uint8Array): SiteFile => ({
  type: TYPES[extname(path)] ?? 'application/octet-stream',
  gzip: gzipSync(contents, { level: 9 }).toString('base64'),
});

function nameOf(files: readonly OutputFile[], entry: string, extension = '.js'): string {
  const found = files.find(({ path }) => basename(path).startsWith(`${entry}-`) && path.endsWith(extension));
  if (found === undefined) throw new Error(`The build has no file of ${entry}.`);
  return basename(found.path);
}

/** @param names texts that the build fills in, by the name of their constant */
async function bundle(
  entries: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(PAGE, file)])),
    absWorkingDir: resolve(PAGE, '../..'),
    outdir: '/page',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    define: Object.fromEntries(Object.entries(names).map(([name, text]) => [name, JSON.stringify(text)])),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  return outputFiles;
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CACHE, COMPILED } from './cache.ts';
import { madeOnce } from './made-once.ts';
import type { Template } from './template.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const BUILDER = join(import.meta.dirname, 'build-stack.ts');

const SOURCES = [
  'functions',
  'lib',
  'bin/build',
  'bin/importer/wire',
  'bin/importer/engine',
  'bin/importer/client',
  'bin/importer/systems',
  'bin/importer/texts',
  'bin/local/build-stack.ts',
  'bin/local/template.ts',
  'bin/importer/page',
  'bin/operate/verify',
  'cdk.json',
  'docs/openapi.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
];

/** Takes seconds after a change of the sources. Workers that find nothing each build: call it in a global setup. */
export async function builtStack() {
  const folder = join(CACHE, 'stacks', sourcesKey());
  await madeOnce(folder, build);
  const template: Template = JSON.parse(readFileSync(join(folder, 'template.json'), 'utf8'));
  // With one folder per function, as `buildFunctions` writes it. No file in it ever changes.
  return { bundles: join(folder, 'functions'), template };
}

async function build(folder: string): Promise<void> {
  // esbuild is over in seconds: collecting its garbage would only take time.
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED, GOGC: 'off' };
  await promisify(execFile)(process.execPath, [BUILDER, folder], { env }).catch(({ stderr }: { stderr: string }) => {
    throw new Error(stderr.trim());
  });
}

/** Changes with the sources of bundles and template, and with these files of the project. */
export function sourcesKey(more: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const file of [...stackSources(), ...more]) {
    const content = readFileSync(join(PROJECT, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

export function stackSources(): string[] {
  return SOURCES.map((source) => join(PROJECT, source))
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isFile() ? [path] : filesIn(path)))
    .map((path) => relative(PROJECT, path))
    .toSorted();
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

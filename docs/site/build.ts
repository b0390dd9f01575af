/**
 * `npm run docs`: these pages as a static site in docs/site/dist, with search, the API reference, each page also as `.md`, and
 * `llms.txt`. The generator is installed on the first run, in this folder: it is no dependency of the service.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { referencePage } from './reference.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const SOURCE = join(HERE, '.source');

/** Pages outside docs, by their name in the site. */
const OTHERS = { 'README.md': 'index.md', 'SECURITY.md': 'security.md', 'CHANGELOG.md': 'changelog.md' } as const;
const FILES = ['openapi.json', 'mapping-examples', 'page'];

if (process.argv[1] === import.meta.filename) {
  if (!existsSync(join(HERE, 'node_modules'))) npm('ci', '--no-audit', '--no-fund', '--ignore-scripts');
  stage();
  npm('run', 'build');
}

function npm(...options: readonly string[]): void {
  const { status } = spawnSync('npm', options, { cwd: HERE, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Copies the pages to where the generator reads them. */
function stage(): void {
  rmSync(SOURCE, { recursive: true, force: true });
  mkdirSync(join(SOURCE, 'public'), { recursive: true });
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  for (const name of docs) copy(`docs/${name}`, name);
  for (const [path, name] of Object.entries(OTHERS)) copy(path, name);
  for (const name of FILES) cpSync(join(ROOT, 'docs', name), join(SOURCE, 'public', name), { recursive: true });
  writeFileSync(join(SOURCE, 'reference.md'), referencePage(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));
}

function copy(path: string, name: string): void {
  writeFileSync(join(SOURCE, name), inSite(readFileSync(join(ROOT, path), 'utf8'), path));
}

/** The text of a page with the links that it has in the site. A link to a file of the repository becomes its text. */
export function inSite(text: string, path: string): string {
  return text.replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (all, image: string, label: string, to: string) => {
      if (/^(?:https?:|#)/.test(to)) return all;
      const [file = '', anchor] = to.split('#');
      const target = placeOf(posix.join(posix.dirname(path), file));
      return target === undefined ? label : `${image}[${label}](${target}${anchor === undefined ? '' : `#${anchor}`})`;
    },
  );
}

function placeOf(file: string): string | undefined {
  const other = Object.entries(OTHERS).find(([path]) => path === file)?.[1];
  if (other !== undefined) return `./${other}`;
  if (/^docs\/[^/]+\.md$/.test(file)) return `./${posix.basename(file)}`;
  const isPublic = FILES.some((name) => file === `docs/${name}` || file.startsWith(`docs/${name}/`));
  return isPublic ? file.slice('docs'.length) : undefined;
}

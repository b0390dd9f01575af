/** Checks the documents against the code and against each other. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { withTables } from '../../bin/build/errors-page.ts';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { settingsFrom } from '../../lib/settings-file.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT, exclude: ['**/node_modules/**', '**/dist/**'] });
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

it('docs/errors.md lists all codes as the code has them: npm run openapi', () => {
  expect(read('docs/errors.md')).toBe(withTables(read('docs/errors.md')));
});

it('the example of docs/data-file.md is a file that would be loaded', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(read('docs/data-file.md')) ?? [];
  expect(parseDataFile(JSON.parse(example)).problems).toEqual([]);
});

it('the table of docs/deploy.md lists every setting of a deployment', () => {
  const asked: string[] = [];
  settingsFrom((name) => void asked.push(name));
  const elsewhere = ['companies'];
  const [, table = ''] = /\| setting \|.*?\n(.*?)\n\n/s.exec(read('docs/deploy.md')) ?? [];
  const names = [...table.matchAll(/^\|.+?\|/gm)].flatMap(([cell]) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
  );
  expect(new Set([...names, ...elsewhere])).toEqual(new Set(asked));
});

it('every document installs the project by a plain npm ci, which test/clients runs as the documents of a deployment do', () => {
  const installing = DOCUMENTS.flatMap((file) => read(file).match(/npm (?:ci|i|install)\b[^`&|#\n]*/g) ?? []);
  const others = installing.filter((command) => command.trim() !== 'npm ci');
  // The package of command and construct, which test:cli installs.
  expect(new Set(others)).toEqual(new Set(['npm install FILE']));
});

it.each(DOCUMENTS)('the commands of %s need no option that only one version of the AWS CLI has', (file) => {
  expect(read(file).match(/--cli-binary-format|--no-cli-pager|--cli-auto-prompt|--no-cli-auto-prompt/g)).toBeNull();
});

it.each(DOCUMENTS)('the links of %s lead to a file, and to a heading or a test of it', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
});

const FILES = globSync('{.ci,bin,companies,docs,functions,lib,test}/**', {
  cwd: PROJECT,
  exclude: ['**/node_modules'],
});

/** The paths of this repository in the code spans of a document: from its root, or the end of one of a file. */
function pathsIn(text: string): string[] {
  const spans = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)];
  const words = spans.flatMap(([, span = '']) => span.split(/\s+/)).map((word) => word.replace(/[.,;:]$/, ''));
  const paths = words.filter(
    (word) =>
      /^(?:\.ci|bin|companies|docs|functions|lib|test)\/[\w./*{},-]+$/.test(word) ||
      /^[\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs|md|css|tla|txt|py|sh)$/.test(word),
  );
  // A name in capitals stands for any; the files of companies are the deployer's.
  return paths.filter((path) => !/\b[A-Z]{3,}\b/.test(path) && path !== 'companies/account.json');
}

const isThere = (path: string): boolean =>
  globSync(path, { cwd: PROJECT }).length > 0 || FILES.some((file) => file.endsWith(`/${path}`));

it.each([...DOCUMENTS, ...globSync('bin/**/*.md', { cwd: PROJECT })])(
  'the paths in the code spans of %s exist',
  (file) => {
    expect(pathsIn(read(file)).filter((path) => !isThere(path))).toEqual([]);
  },
);

it('a path that does not exist is found, from the root and as the end of one', () => {
  const text =
    'In `bin/importer/none.ts` and `records/none.ts`, not in `functions/handlers/NAME.ts` or `records/merge.ts`.';
  expect(pathsIn(text).filter((path) => !isThere(path))).toEqual(['bin/importer/none.ts', 'records/none.ts']);
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(PROJECT, target))) return false;
  if (heading === undefined) return true;
  if (target.endsWith('.ts')) return textsOf(read(target)).some((text) => text.includes(heading));
  return anchorsOf(read(target)).includes(heading);
}

/** The texts in the code of a test, in lower case with hyphens: a link names some words of a title. */
function textsOf(code: string): string[] {
  const texts = [...code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g)].map(([, , text = '']) => text);
  return texts.map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'));
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

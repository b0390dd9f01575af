/** Checks the documents against the code and against each other. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { RECORD_ERRORS, RECORD_WARNINGS, REQUEST_ERROR_STATUS, codesOf } from '../../functions/shared/codes.ts';
import { settingsFrom } from '../../lib/settings-file.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT, exclude: ['**/node_modules/**', '**/dist/**'] });
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** First column of the tables of a section that holds a code; second where the first is a status. */
function codesUnder(heading: string): string[] {
  const section =
    read('docs/errors.md')
      .split(/^## /m)
      .find((text) => text.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\|(?: \d+ \|)? `([a-z_]+)` \|/gm)].map(([, code = '']) => code);
}

describe('docs/errors.md', () => {
  it.each([
    ['Of a request', REQUEST_ERROR_STATUS],
    ['Of a record', RECORD_ERRORS],
    ['Warnings', RECORD_WARNINGS],
  ])('the table under “%s” lists all codes, in their order', (heading, table) => {
    expect(codesUnder(heading)).toEqual(codesOf(table as Record<string, unknown>));
  });

  it('every request error has its status on the page', () => {
    const rows = [...read('docs/errors.md').matchAll(/^\| (\d+) \| `([a-z_]+)` \|/gm)];
    expect(Object.fromEntries(rows.map(([, status, code = '']) => [code, Number(status)]))).toEqual(
      REQUEST_ERROR_STATUS,
    );
  });
});

describe('docs/data-file.md', () => {
  it('the example is a file that would be loaded', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(read('docs/data-file.md')) ?? [];
    expect(parseDataFile(JSON.parse(example)).problems).toEqual([]);
  });
});

describe('docs/deploy.md', () => {
  it('the table lists every setting of a deployment', () => {
    const asked: string[] = [];
    settingsFrom((name) => void asked.push(name));
    const elsewhere = ['companies'];
    const [, table = ''] = /\| setting \|.*?\n(.*?)\n\n/s.exec(read('docs/deploy.md')) ?? [];
    const names = [...table.matchAll(/^\|.+?\|/gm)].flatMap(([cell]) =>
      [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
    );
    expect(new Set([...names, ...elsewhere])).toEqual(new Set(asked));
  });
});

describe('links between documents', () => {
  it.each(DOCUMENTS)('the links of %s lead to a file, and to a heading or a test of it', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
  });
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

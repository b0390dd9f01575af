/** Each row of limits.md and SECURITY.md, and each decision of interface.md, claims something and links the test that shows it. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** A page, the first characters of the row of a claim, and the number of rows: no claim is lost unnoticed. */
const PAGES: readonly (readonly [string, RegExp, number])[] = [
  ['docs/interface.md', /^Tests: /, 29],
  ['docs/limits.md', /^\| (?!what|`warm`)/, 38],
  ['SECURITY.md', /^\| \*\*/, 20],
];
/** A link to a test, with a few words of its title: `documents.test.ts` looks for both. */
const LINK = /\]\((?:\.\.\/)?test\/[\w./-]+\.ts#[\w-]+\)/;

describe.each(PAGES)('%s', (page, row, count) => {
  // The settings of a deployment and the tables below them are compared with the template.
  const [claims = ''] = read(page).split('## Of a deployment');
  const rows = claims.split('\n').filter((line) => row.test(line));

  it('every row links a test', () => {
    expect(rows.filter((line) => !LINK.test(line))).toEqual([]);
    expect(rows).toHaveLength(count);
  });
});

describe('docs/asvs.md', () => {
  const rows = [...read('docs/asvs.md').matchAll(/^\|[^|]*\|([^|]+)\|([^|]+)\|([^|]*)\|$/gm)].slice(2);

  it('the page goes through all seventeen chapters', () => {
    const chapters = [...read('docs/asvs.md').matchAll(/^\| V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
  });

  it.each(rows.map(([, group = '', verdict = '', evidence = '']) => [group.trim(), verdict.trim(), evidence]))(
    'the requirement %s is met, with evidence that exists, or does not concern this service',
    (_, verdict, evidence) => {
      const paths = [...evidence.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      expect(paths.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
      expect(verdict).toMatch(/^(met|partly met|not met|does not apply|the platform's)/);
      expect(verdict.startsWith('met') && paths.length === 0).toBe(false);
    },
  );
});

/** Each row of limits.md and SECURITY.md, and each decision of interface.md, links the test that shows its claim. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** A page, the first characters of the row of a claim, and the number of rows: no claim is lost unnoticed. */
const PAGES: readonly (readonly [string, RegExp, number])[] = [
  ['docs/interface.md', /^Tests: /, 35],
  ['docs/limits.md', /^\| (?!what|`warm`)/, 44],
  ['SECURITY.md', /^\| \*\*/, 24],
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

  const LINKED_TEST = /\]\(\.\.\/test\/[\w./-]+\.ts#[\w-]+\)/;

  it.each(rows.map(([, group = '', verdict = '', tests = '']) => [group.trim(), verdict.trim(), tests]))(
    'the requirement %s is met, as a test shows whose title is named, or its row says why not',
    (_, verdict, tests) => {
      expect(verdict).toMatch(/^(?:met|(?:partly met|not met): .{20,}|the platform's, .{10,}|does not apply)/);
      const isShown = verdict.startsWith('met') || (verdict.startsWith('partly') && tests.trim() !== '');
      expect(LINKED_TEST.test(tests)).toBe(isShown);
    },
  );

  it('the page counts its rows by their verdicts', () => {
    const of = (start: string) => rows.filter(([, , verdict = '']) => verdict.trim().startsWith(start)).length;
    const [met, partly, not] = [of('met'), of('partly met'), of('not met')];
    const [platform, none] = [of("the platform's"), of('does not apply')];
    const sentence = `Of ${rows.length} rows, ${met} are met, ${partly} partly met, ${not} not met, ${platform} the platform’s, and ${none} do not apply.`;
    expect(read('docs/asvs.md').replaceAll(/\s+/g, ' ')).toContain(sentence);
  });
});

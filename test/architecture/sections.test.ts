/** Every section and rule that is cited is a heading of docs/interface.md, and says the words that are quoted of it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(PROJECT, 'docs/interface.md'), 'utf8');

/** Text of each section with its subsections, by number; rules as `rule 7`. */
const SECTIONS = sectionsOf(PAGE);

function sectionsOf(page: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const part of page.split(/^(?=##+ )/m)) {
    const [, number, rule] = /^##+ (?:(\d+(?:\.\d+)*)\.? |Rule (\d+):)/.exec(part) ?? [];
    const names = rule === undefined ? [number ?? ''] : ['11', `rule ${rule}`];
    if (number?.includes('.')) names.push(number.split('.')[0] ?? '');
    for (const name of names) sections.set(name, `${sections.get(name) ?? ''}${part}`);
  }
  return sections;
}

interface Citation {
  readonly section: string;
  /** Number in the section's list. */
  readonly item?: string | undefined;
  /** Words that are quoted beside it. */
  readonly words?: string | undefined;
}

/** A file without the marks of comments, as one line, so that a quotation may go on in the next line. */
const asText = (source: string): string => source.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');

function citationsIn(source: string): Citation[] {
  const text = asText(source);
  return [
    ...[...text.matchAll(/§(\d+(?:\.\d+)*)(?:,? (?:operations?|points?) (\d+))?(?:[^"§.]{0,60}: "([^"]+)")?/g)].map(
      ([, section = '', item, words]) => ({ section, item, words }),
    ),
    ...[...text.matchAll(/"([^"]{12,})"[^"§.]{0,12}\(§(\d+(?:\.\d+)*)\)/g)].map(([, words, section = '']) => ({
      section,
      words,
    })),
    ...[...text.matchAll(/\brules? (\d+)\b(?!,?\d| [a-z]+ (?:per|an?) )/gi)].map(([, rule]) => ({
      section: `rule ${rule}`,
    })),
  ];
}

const plain = (text: string): string => text.replaceAll(/[`*|]/g, '').replaceAll(/\s+/g, ' ').toLowerCase();

function isWrong({ section, item, words }: Citation): boolean {
  const text = SECTIONS.get(section);
  if (text === undefined) return true;
  if (item !== undefined && !new RegExp(String.raw`^ *${item}\. `, 'm').test(text)) return true;
  return words !== undefined && !plain(text).includes(plain(words).replace(/[.;]$/, ''));
}

const CITING = ['*.{ts,md}', '{bin,docs,functions,lib,test}/**/*.{ts,md,mjs,py,sh}'];
const FILES = globSync(CITING, { cwd: PROJECT, exclude: ['**/node_modules', 'test/formats/**'] }).filter(
  (file) => !file.endsWith('sections.test.ts'),
);

it('every section and rule that a file cites is on the page, and says what is quoted of it', () => {
  const wrong = FILES.flatMap((file) =>
    citationsIn(readFileSync(join(PROJECT, file), 'utf8'))
      .filter(isWrong)
      .map((citation) => ({ file, ...citation })),
  );
  expect(wrong).toEqual([]);
});

it.each([
  ['a section that is missing', '/** §4.99: lists. */'],
  ['an operation that is missing', '/** §4.2 operation 12. */'],
  ['words that are not in the section', '/** §4.3: "Bad records stop the batch". */'],
  ['words that are not in the section, quoted first', '/** "Bad records stop the batch" (§4.3). */'],
  ['a rule that is missing', '// rule 15: none'],
])('a citation of %s is found', (_, source) => {
  expect(citationsIn(source).filter(isWrong)).not.toEqual([]);
});

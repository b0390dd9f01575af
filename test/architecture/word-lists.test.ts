/** What exports say is in the lexicon: no other file of the engine has a list of words. Reads the sources; costs milliseconds. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ENGINE = join(import.meta.dirname, '../../bin/importer/engine');

/** Lists that are no words of exports. */
const OTHERS: Readonly<Record<string, number>> = {
  // Types of values in the JSON of MongoDB.
  'ground/columns.ts': 1,
  // The classes of cells that the mapping file names.
  'language/classes.ts': 1,
  // The tokens of JSON.
  'read/json.ts': 1,
  // The first words of SQL, and the tags of HTML and XML: such a file is refused.
  'read/open-source.ts': 3,
};

/** A word, or a character that is one. */
const WORD = /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Four alternatives on a line, in an expression or a text; those of a type have blanks around their bars. */
function wordLists(source: string): string[] {
  const code = source.replaceAll(/\/\*\*?[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return code.split('\n').filter((line) =>
    line.split(/ \|{1,2} |\|\||^\s*\| /).some((part) => {
      const words = part.split('|').map((word) => word.replaceAll(/\\[bdswSWD]|\\?p\{[^}]*\}/g, ' '));
      return words.filter((word) => WORD.test(word)).length >= 4;
    }),
  );
}

const files = globSync('**/*.ts', { cwd: ENGINE, exclude: ['lexicon/**'] });
const listsIn = (file: string): string[] => wordLists(readFileSync(join(ENGINE, file), 'utf8'));

it.each(files)('%s has no list of words', (file) => {
  expect(listsIn(file)).toHaveLength(OTHERS[file] ?? 0);
});

it.each([
  'const DONE = /fertig|erledigt|abgeschlossen|bestanden/;',
  "'会社|部署|役職|上司'",
  '`^(yes|done|passed|over)$`',
])('%s would be found', (line) => {
  expect(wordLists(line)).toEqual([line]);
});

it.each([
  "type Read = 'text' | 'dated' | 'counted' | 'percent';",
  'first || second || third || fourth',
  '/^(yes|no)$/',
])('%s is no list', (line) => {
  expect(wordLists(line)).toEqual([]);
});

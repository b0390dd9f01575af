/** Languages of exports are the files of a folder. Reads them; costs milliseconds. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { LANGUAGES } from '../../../../bin/importer/engine/lexicon/languages.ts';
import { languagesIn } from '../../../../bin/importer/engine/lexicon/languages/index.ts';

const FILES = join(import.meta.dirname, '../../../../bin/importer/engine/lexicon/languages');
const folder = mkdtempSync(join(tmpdir(), 'languages-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const words = v.array(v.pipe(v.string(), v.nonEmpty()));
const lists = v.record(v.string(), words);
const file = v.strictObject({
  language: v.pipe(v.string(), v.nonEmpty()),
  called: v.optional(words),
  sources: v.record(v.string(), v.pipe(v.string(), v.nonEmpty())),
  status: v.record(v.string(), lists),
  headers: v.record(v.string(), lists),
  patterns: v.optional(lists),
  topics: lists,
  parts: v.optional(lists),
  dates: v.optional(v.strictObject({ days: v.optional(words), times: v.optional(words) })),
});

it.each(Object.entries(LANGUAGES))('%s is a language', (_, language) => {
  expect(v.safeParse(file, language).issues).toBeUndefined();
});

it('a file more is a language more', () => {
  copyFileSync(join(FILES, 'en.json'), join(folder, 'en.json'));
  writeFileSync(join(folder, 'et.json'), '{"language":"Estonian","status":{"plain":{"completed":["läbitud"]}}}');
  writeFileSync(join(folder, 'index.ts'), '');
  const found = languagesIn(pathToFileURL(`${folder}/`));
  expect(Object.keys(found)).toEqual(['en', 'et']);
  expect(found).toMatchObject({ en: LANGUAGES['en'], et: { status: { plain: { completed: ['läbitud'] } } } });
});

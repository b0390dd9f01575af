/** The engine runs in Node and in a browser: it imports itself, the client, rules of records, and portable packages. Costs milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const ALLOWED =
  /^bin\/(importer|client)\/|^functions\/(shared|records)\/|^(valibot|saxes|fastest-levenshtein|@noble\/hashes\/.*)$/;

const FILES = readdirSync(join(ROOT, 'bin/importer'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('run/') && file !== 'records/batches.ts')
  .map((file) => join('bin/importer', file));

function importsOf(file: string): string[] {
  const specifiers = readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\(|^import) ?'([^']+)'/gm);
  return [...specifiers].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : specifier,
  );
}

it.each(FILES)('%s imports only what runs in a browser too', (file) => {
  expect(importsOf(file).filter((imported) => !ALLOWED.test(imported))).toEqual([]);
});

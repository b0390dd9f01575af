/** Engine and client import only themselves, rules of records and portable packages. Costs milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const ALLOWED =
  /^bin\/importer\/(wire|engine|client)\/|^functions\/(shared|records)\/|^(valibot|saxes|fastest-levenshtein|@noble\/hashes\/.*)$/;

const FILES = ['bin/importer/wire', 'bin/importer/engine', 'bin/importer/client'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

function importsOf(file: string): string[] {
  const specifiers = readFileSync(join(ROOT, file), 'utf8').matchAll(
    /^(?!import type)(?:.*(?:from|import\(|^import)) ?'([^']+)'/gm,
  );
  return [...specifiers].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : specifier,
  );
}

it.each(FILES)('%s imports only what runs in a browser too', (file) => {
  expect(importsOf(file).filter((imported) => !ALLOWED.test(imported))).toEqual([]);
});

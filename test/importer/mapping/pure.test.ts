/** The mapping engine runs anywhere, a browser included: it imports nothing of Node. Costs milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../../bin/importer/mapping');

it.each(readdirSync(FOLDER))(
  '%s imports the engine itself, valibot, the errors and texts of the engine, and nothing else',
  (file) => {
    const source = readFileSync(join(FOLDER, file), 'utf8');
    const imported = [...source.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, specifier = '']) => specifier);
    expect(imported.filter((each) => !/^(\.\/[\w-]+\.ts|valibot|\.\.\/(errors|text)\.ts)$/.test(each))).toEqual([]);
    expect(source).not.toMatch(/\b(process|Buffer|require)\b[.(]/);
  },
);

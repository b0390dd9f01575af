/** Types come from guards and decoders: production has few casts, and fewer through `unknown`. Reads the sources. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The code of a file, without comments, imports and texts, in which `as` is a word. */
const codeOf = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*(?:import|export)\b[^;]*?\bfrom\s*'[^']*'[^;]*;/gm, '')
    .replaceAll(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
    // Of a text with values, the values.
    .replaceAll(/`[^`\n]*`/g, (text) => (text.match(/\$\{[^}]*\}/g) ?? []).join(' '));

const PRODUCTION = globSync('{functions,bin,lib}/**/*.ts', { cwd: ROOT })
  .map((file) => codeOf(readFileSync(join(ROOT, file), 'utf8')))
  .join('\n');

it.each([
  ['casts', /[\w)\]}>'"`!] as (?!const\b)(?=[\w{([<'"])/g, 134],
  ['casts through unknown', / as unknown as /g, 8],
] as const)('production has at most so many %s', (_, cast, most) => {
  const found = [...PRODUCTION.matchAll(cast)].length;
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThanOrEqual(most);
});

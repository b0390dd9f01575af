/** Every code of the engine has a sentence in every language. Milliseconds. */
import { describe, expect, it } from 'vitest';
import type { Code, Codes, Said } from '../../../bin/importer/engine/ground/codes.ts';
import { DE } from '../../../bin/importer/texts/de.ts';
import { EN } from '../../../bin/importer/texts/en.ts';
import { sentenceIn } from '../../../bin/importer/texts/texts.ts';

/** Values of each code, as a file could give them. */
const EXAMPLES: { readonly [Each in Code]: Codes[Each] } = {
  file_without_rows: { path: 'history.csv' },
};

const CODES = Object.entries(EXAMPLES).map(([code, params]) => ({ code, params }) as unknown as Said);

describe.each([
  ['English', EN],
  ['German', DE],
])('%s', (_, texts) => {
  it.each(CODES.map((said) => [said.code, said] as const))('%s', (code, said) => {
    const sentence = sentenceIn(texts, said);
    expect(sentence).not.toMatch(/undefined|\[object|\{|NaN/);
    expect(sentence).not.toContain(code);
    expect(sentence.trim()).not.toBe('');
  });
});

/** Lengths of clients' texts, and how messages quote them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { codePointLength, excerpt, isIdentifierText, listed, quoted } from '../../functions/records/text.ts';

const LONE_SURROGATE = '\ud83d';

it('codePointLength: an emoji → one character', () => {
  expect(codePointLength('aé😀')).toBe(3);
});

it.each([
  ['up to the maximum of code points', '😀😀', true],
  ['not one more', '😀😀x', false],
  ['not the empty text', '', false],
  ['not a lone surrogate', LONE_SURROGATE, false],
])('isIdentifierText: %s', (_reason, text, is) => {
  expect(isIdentifierText(text, 2)).toBe(is);
});

describe('excerpt', () => {
  it('excerpt: a long text → its first 64 code points', () => {
    expect(excerpt('😀'.repeat(64))).toBe('😀'.repeat(64));
    expect(excerpt('😀'.repeat(65))).toBe(`${'😀'.repeat(64)}…`);
  });

  it('excerpt: any text → a well-formed text', () => {
    expect(excerpt(`a${LONE_SURROGATE}`)).toBe('a\ufffd');
  });
});

it('quoted: a text → its excerpt in double quotes', () => {
  expect(quoted('x'.repeat(100))).toBe(`"${'x'.repeat(64)}…"`);
});

it('listed: many values → the first 10, and a count of the rest', () => {
  expect(listed([1001, 1002])).toBe('1001, 1002');
  expect(listed(Array.from({ length: 12 }, (_, index) => index))).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more');
});

/** Counts and texts of others as they are shown. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { grouped, shown, shownLines } from '../../../../bin/importer/engine/ground/text.ts';

describe('shown', () => {
  it.each([
    ['\u{1b}[2J\u{7}', String.raw`\u001b[2J\u0007`],
    ['a\u{202e}gpj.exe', String.raw`a\u202egpj.exe`],
    ['line\r\nnext', String.raw`line\u000d\u000anext`],
    ['\u{9b}31m', String.raw`\u009b31m`],
    ['ana\u{200b}@acme.test', String.raw`ana\u200b@acme.test`],
    ['\u{e0041}', String.raw`\udb40\udc41`],
    ['Zoë Weiß 日本', 'Zoë Weiß 日本'],
  ])('%j is shown as %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('a text may have lines of its caller', () => {
    expect(shownLines('one\n  two\u{1b}')).toBe('one\n  two\\u001b');
  });
});

it('a count has a comma between thousands', () => {
  expect(grouped(1234567)).toBe('1,234,567');
});

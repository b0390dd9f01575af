/** The encoding that the bytes of a file show, also if a read cuts a character in two. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { encodingOf } from '../../../../bin/importer/engine/read/encoding.ts';
import { inspectFile } from '../../../../bin/importer/engine/read/text-file.ts';

/** A file is read in pieces of this size. */
const PIECE_BYTES = 256 * 1024;

const inspect = (...parts: (string | number[])[]) =>
  inspectFile(new File([Buffer.concat(parts.map((part) => Buffer.from(part as string)))], 'history.csv'));

describe('inspectFile', () => {
  it.each([1, 2, 3])('a file with a character of 4 bytes, %d of them in the first piece, is UTF-8', async (bytes) => {
    const found = await inspect('x'.repeat(PIECE_BYTES - bytes), '😀\n');
    expect(found).toMatchObject({ firstNotUtf8: undefined, multibyte: 1 });
  });

  it.each<[string, number[]]>([
    ['a byte of Latin-1', [0xeb, 0x0a]],
    ['an incomplete character', [0xf0, 0x9f, 0x98, 0x41]],
    ['an incomplete character at the end', [0xe2, 0x82]],
    ['a stray continuation', [0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a character above the last', [0xf5, 0x80, 0x80, 0x80]],
  ])('a file with %s is not UTF-8 from its first byte on', async (_, bytes) => {
    const { firstNotUtf8 } = await inspect('a,b\n1,Zoë\n2,\u{fffd}', bytes);
    expect(firstNotUtf8).toEqual({ line: 3, column: 6 });
  });

  it('a byte of the second piece that is not UTF-8 is found', async () => {
    const { firstNotUtf8 } = await inspect('a\n', 'x'.repeat(PIECE_BYTES), [0xeb]);
    expect(firstNotUtf8).toEqual({ line: 2, column: PIECE_BYTES + 1 });
  });

  it('a file with only characters of Latin-1 has no character of UTF-8', async () => {
    expect(await inspect('Zo', [0xeb, 0x0a])).toMatchObject({ multibyte: 0 });
  });

  it('a CRLF is found also where the pieces cut it', async () => {
    expect((await inspect('x'.repeat(PIECE_BYTES - 1), '\r\n')).crlf).toBe(true);
  });
});

it.each<[string, string, number[]]>([
  ['windows-1250', 'a Spanish sign within a word: ukończone', [0x75, 0x6b, 0x6f, 0xf1, 0x63, 0x7a, 0x6f, 0xbf, 0x65]],
  ['iso-8859-2', 'the sign of a paragraph within a word: Wiśniewska', [0x57, 0x69, 0xb6, 0x6e, 0x69, 0x65]],
  ['windows-874', 'Thai: สำเร็จ', [0xca, 0xd3, 0xe0, 0xc3, 0xe7, 0xa8]],
])('letters show %s: %s', async (encoding, _, word) => {
  expect(encodingOf('history.csv', await inspect('Kurs;Wynik\nA;', word, '\n'))).toBe(encoding);
});

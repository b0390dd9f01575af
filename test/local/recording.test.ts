/** The terminal of recordings: what is drawn in the picture is what stood on the screen. */
import { describe, expect, it } from 'vitest';
import { frames } from '../../bin/recording/screen.ts';
import { animation } from '../../bin/recording/svg.ts';

const up = (lines: number) => `\u001b[${lines}A\u001b[J`;
const shown = (...texts: string[]) =>
  frames(
    texts.map((text, at) => ({ text, atMs: at * 100 })),
    100,
  ).map(({ lines }) => lines);

describe('the screen', () => {
  it('keeps lines, also those that come in pieces', () => {
    expect(shown('one\r\ntw', 'o\r\n')).toEqual([
      ['one', 'tw'],
      ['one', 'two'],
    ]);
  });

  it('writes over what was erased', () => {
    expect(shown('note\r\nbar 1\r\nbar 2\r\n', `${up(2)}bar 3\r\nbar 4\r\n`).at(-1)).toEqual([
      'note',
      'bar 3',
      'bar 4',
    ]);
  });

  it('shows one frame for each span of time, as it stood at its end', () => {
    const writes = [10, 20, 120].map((atMs) => ({ text: `${atMs}\n`, atMs }));
    expect(frames(writes, 100)).toEqual([
      { atMs: 0, lines: ['10', '20'] },
      { atMs: 100, lines: ['10', '20', '120'] },
    ]);
  });
});

describe('the picture', () => {
  it('escapes what would be markup', () => {
    const svg = animation([{ atMs: 0, lines: ['<b> & "'] }], 'a < b');
    expect(svg).toContain('&lt;b&gt; &amp; &quot;');
    expect(svg).toContain('<title>a &lt; b</title>');
  });
});

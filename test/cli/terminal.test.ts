/** What the command prints: no text of a file or a service can drive the terminal. Costs milliseconds. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shown, shownLines } from '../../bin/cli/terminal.ts';
import { displayOn } from '../../bin/cli/progress/display.ts';

describe('a text that is shown', () => {
  it.each([
    ['\u{1b}[2J\u{7}', String.raw`\u001b[2J\u0007`],
    ['a\u{202e}gpj.exe', String.raw`a\u202egpj.exe`],
    ['line\r\nnext', String.raw`line\u000d\u000anext`],
    ['\u{9b}31m', String.raw`\u009b31m`],
    ['ana\u{200b}@acme.test', String.raw`ana\u200b@acme.test`],
    ['\u{e0041}', String.raw`\udb40\udc41`],
    ['Zoë Weiß 日本', 'Zoë Weiß 日本'],
  ])('%j is %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('may have lines of our own', () => {
    expect(shownLines('one\n  two\u{1b}')).toBe('one\n  two\\u001b');
  });

  it('is escaped in notes between progress bars too', () => {
    let written = '';
    displayOn({ write: (text: string) => (written += text) }).note('a\u{1b}[31m');
    expect(written).toBe('a\\u001b[31m\n');
  });
});

it('nothing writes to the terminal past it: only what escapes does, and the completion, which has no text of others', () => {
  const writes = globSync('bin/{cli.ts,cli/**/*.ts}').filter((file) =>
    /\bconsole\.|process\.std(out|err)\.write/.test(readFileSync(file, 'utf8')),
  );
  expect(writes.toSorted()).toEqual(['bin/cli.ts', 'bin/cli/program.ts', 'bin/cli/terminal.ts']);
  for (const line of linesOf('bin/cli.ts')) expect(line).toMatch(/shownLines\(|'\\nInterrupted/);
  expect(linesOf('bin/cli/program.ts')).toEqual([expect.stringContaining('completionScript')]);
});

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /process\.std(out|err)\.write/.test(line));

/** No text of a file or a service can control the terminal. Costs milliseconds. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { displayOn } from '../../../bin/importer/command/progress.ts';
import { duration } from '../../../bin/importer/command/terminal.ts';

it('a note shows the control characters of a text as escapes', () => {
  let written = '';
  displayOn({ write: (text: string) => (written += text) }).note('a\u{1b}[31m');
  expect(written).toBe('a\\u001b[31m\n');
});

it('only the functions that escape texts write to the terminal', () => {
  const writes = globSync('bin/importer/command/**/*.ts').filter((file) =>
    /\bconsole\.|process\.std(out|err)\.write/.test(readFileSync(file, 'utf8')),
  );
  expect(writes.toSorted()).toEqual(['bin/importer/command/main.ts', 'bin/importer/command/terminal.ts']);
  for (const line of linesOf('bin/importer/command/main.ts')) expect(line).toMatch(/shownLines\(|write\('\\n'\)/);
});

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /process\.std(out|err)\.write/.test(line));

it.each([
  [0.2, '1 s'],
  [61, '1 min 1 s'],
  [3720, '1 h 2 min'],
])('duration: %d seconds → %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

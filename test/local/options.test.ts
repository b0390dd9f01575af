import { describe, expect, it } from 'vitest';
import { parseOptions } from '../../bin/local/options.ts';

describe('the options of npm start', () => {
  it('the options default to port 3000, in memory, with the sample', () => {
    expect(parseOptions([])).toEqual({ port: 3000, reset: false, verbose: false });
  });

  it('every option is read', () => {
    expect(parseOptions(['--port', '0', '--data', 'a.json', '--dir', 'd', '--reset', '--verbose'])).toEqual({
      port: 0,
      data: 'a.json',
      dir: 'd',
      reset: true,
      verbose: true,
    });
  });

  it.each([
    [['--prot', '1']],
    [['file.json']],
    [['--port']],
    [['--port', '65536']],
    [['--port', '-1']],
    [['--port', '1e3']],
    [['--port=']],
    [['--data', '']],
    [['--dir=']],
    [['--reset']],
    [['--client-key=']],
    [['--client-key', 'k', '--data', 'a.json']],
  ])('%j is refused in one line that shows the usage', (args) => {
    expect(() => parseOptions(args)).toThrow(/^[^\n]*usage: npm start[^\n]*$/);
  });
});

/** Progress on a terminal and in a log. Costs milliseconds; the clock is the test's. */
import { describe, expect, it } from 'vitest';
import { displayOn, OutageNotice } from '../../../../bin/importer/command/progress/display.ts';
import { Meter } from '../../../../bin/importer/command/progress/meter.ts';

describe('outages', () => {
  it('an outage is noted once for all requests that notice it, again after half a minute, and once when it is over', () => {
    let now = 0;
    const notes: string[] = [];
    const outage = new OutageNotice(
      (text) => notes.push(text),
      () => now,
    );
    outage.over();
    outage.waiting('gone', 2000);
    outage.waiting('gone', 2000);
    now = 31_000;
    outage.waiting('gone', 9000);
    outage.over();
    outage.over();
    expect(notes).toEqual(['gone; retrying in 2 s', 'still waiting: gone', 'The service is back; resuming.']);
  });
});

describe('displays', () => {
  const shown = (isTTY: boolean, ending: 'end' | 'clear' = 'end'): string => {
    let written = '';
    const display = displayOn({ isTTY, columns: 40, write: (text: string) => (written += text) });
    display.show([new Meter('upload', 10, () => 0), new Meter('processing', 10, () => 0)]);
    display.note('the service is away');
    display[ending]();
    return written;
  };

  it('a display redraws bars in place on a terminal, under the lines that stay, and never wraps', () => {
    const text = shown(true);
    const bars = text.split('\n').map((line) => line.replace('\u{1b}[2A\u{1b}[J', '(erased)').slice(0, 14).trim());
    expect(bars).toEqual([
      'the service is',
      'upload      ░░',
      'processing  ░░',
      '(erased)upload',
      'processing  ░░',
      '',
    ]);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(50);
  });

  it('a display writes plain lines elsewhere', () => {
    expect(shown(false)).toBe('the service is away\nupload: 0 %, 0 of 10\nprocessing: 0 %, 0 of 10\n');
  });

  it('a display that is cleared leaves nothing but the notes', () => {
    expect(shown(false, 'clear')).toBe('the service is away\n');
    expect(shown(true, 'clear').split('\u{1b}[2A\u{1b}[J').at(-1)).toBe('');
  });
});

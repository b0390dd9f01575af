/** What is seen of a run. Costs milliseconds; the clock is the test's. */
import { describe, expect, it } from 'vitest';
import { Meter } from '../../bin/cli/progress/meter.ts';
import { displayOn } from '../../bin/cli/progress/display.ts';
import { Waiting } from '../../bin/cli/progress/waiting.ts';
import { barLine, duration, plainLine } from '../../bin/cli/progress/words.ts';

describe('a meter', () => {
  it('tells share, rate and time left from the last half minute', () => {
    let now = 0;
    const meter = new Meter('upload', 10_000, () => now);
    for (let second = 1; second <= 60; second += 1) {
      now = second * 1000;
      meter.add(second <= 30 ? 10 : 100);
    }
    expect(meter.done).toBe(3300);
    expect(Math.round(meter.rate)).toBe(100);
    expect(plainLine(meter)).toBe('upload: 33 %, 3,300 of 10,000  100 rows/s  1 min 7 s left');
    expect(barLine(meter)).toContain('████████░░░░░░░░░░░░░░░░');
  });

  it('says nothing of rate and time before there is anything to say', () => {
    expect(plainLine(new Meter('upload', 10, () => 0))).toBe('upload: 0 %, 0 of 10');
  });

  it.each([
    [0.2, '1 s'],
    [61, '1 min 1 s'],
    [3720, '1 h 2 min'],
  ])('%d seconds read %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe('waiting', () => {
  it('is said once for all requests that meet it, again after half a minute, and once when it is over', () => {
    let now = 0;
    const said: string[] = [];
    const waiting = new Waiting(
      (text) => said.push(text),
      () => now,
    );
    waiting.over();
    waiting.wait('gone', 2000);
    waiting.wait('gone', 2000);
    now = 31_000;
    waiting.wait('gone', 9000);
    waiting.over();
    waiting.over();
    expect(said).toEqual([
      'gone; waiting, next try in 2 s',
      'still waiting: gone',
      'the service answers again; going on',
    ]);
  });
});

describe('a display', () => {
  const shown = (isTTY: boolean): string => {
    let written = '';
    const display = displayOn({ isTTY, columns: 40, write: (text: string) => (written += text) });
    display.show([new Meter('upload', 10, () => 0), new Meter('processing', 10, () => 0)]);
    display.note('the service is away');
    display.end();
    return written;
  };

  it('redraws bars in place on a terminal, under the lines that stay, and never wraps', () => {
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

  it('is plain lines elsewhere', () => {
    expect(shown(false)).toBe('the service is away\nupload: 0 %, 0 of 10\nprocessing: 0 %, 0 of 10\n');
  });
});

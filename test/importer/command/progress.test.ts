/** Progress on a terminal and in a log. Costs milliseconds; the clock is the test's. */
import { describe, expect, it } from 'vitest';
import { barLine, displayOn, Meter, outageNotice, plainLine } from '../../../bin/importer/command/progress.ts';

describe('outages', () => {
  it('an outage is noted once for all requests that notice it, again after half a minute, and once when it is over', () => {
    let now = 0;
    const notes: string[] = [];
    const outage = outageNotice(
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

describe('Meter', () => {
  it('a meter shows share, rate and time left from the last half minute', () => {
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

  it('records of an earlier run of the command count, but not into rate and time left', () => {
    let now = 0;
    const meter = new Meter('upload', 10_000, () => now);
    meter.restore(8000);
    now = 10_000;
    meter.add(100);
    meter.restore(900);
    expect(plainLine(meter)).toBe('upload: 90 %, 9,000 of 10,000  10 rows/s  1 min 40 s left');
  });

  it('a meter without a known total shows the records that are done', () => {
    let now = 0;
    const meter = new Meter('reading', undefined, () => now);
    now = 2000;
    meter.add(42_000);
    expect(plainLine(meter)).toBe('reading: 42,000 rows  21,000 rows/s');
    expect(barLine(meter)).toBe('reading     42,000 rows  21,000 rows/s');
  });

  it('a meter shows no rate and time before they can be computed', () => {
    expect(plainLine(new Meter('upload', 10, () => 0))).toBe('upload: 0 %, 0 of 10');
  });
});

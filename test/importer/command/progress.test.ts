/** Progress on a terminal and in a log. Costs milliseconds; the clock is the test's. */
import { describe, expect, it } from 'vitest';
import { displayOn, Meter, outageNotice } from '../../../bin/importer/command/progress.ts';

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

describe('displays', () => {
  const meters = ['upload', 'processing'].map((name) => new Meter(name, 10, () => 0));
  const shown = async (isTTY: boolean, isKept = true, columns = 40): Promise<string> => {
    let written = '';
    const display = displayOn({ isTTY, columns, write: (text: string) => (written += text) });
    await display.during(meters, async () => display.note('the service is away'), isKept);
    return written;
  };

  it('a display redraws its lines in place on a terminal, under the lines that stay, and never wraps', async () => {
    const text = await shown(true);
    const lines = text.split('\n').map((line) => line.replace('\u{1b}[2A\u{1b}[J', '(erased)'));
    expect(lines).toEqual([
      'the service is away',
      'upload: 0 %, 0 of 10',
      'processing: 0 %, 0 of 10',
      '(erased)upload: 0 %, 0 of 10',
      'processing: 0 %, 0 of 10',
      '',
    ]);
    expect((await shown(true, true, 12)).split('\n')).toContain('processing:');
  });

  it('a display writes plain lines elsewhere', async () => {
    expect(await shown(false)).toBe('the service is away\nupload: 0 %, 0 of 10\nprocessing: 0 %, 0 of 10\n');
  });

  it('a display that is cleared leaves nothing but the notes', async () => {
    expect(await shown(false, false)).toBe('the service is away\n');
    expect((await shown(true, false)).split('\u{1b}[2A\u{1b}[J').at(-1)).toBe('');
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
    expect(meter.line()).toBe('upload: 33 %, 3,300 of 10,000  100 rows/s  1 min 7 s left');
  });

  it('records of an earlier run of the command count, but not into rate and time left', () => {
    let now = 0;
    const meter = new Meter('upload', 10_000, () => now);
    meter.restore(8000);
    now = 10_000;
    meter.add(100);
    meter.restore(900);
    expect(meter.line()).toBe('upload: 90 %, 9,000 of 10,000  10 rows/s  1 min 40 s left');
  });

  it('a meter without a known total shows the records that are done', () => {
    let now = 0;
    const meter = new Meter('reading', undefined, () => now);
    now = 2000;
    meter.add(42_000);
    expect(meter.line()).toBe('reading: 42,000 rows  21,000 rows/s');
  });

  it('a meter shows no rate and time before they can be computed', () => {
    expect(new Meter('upload', 10, () => 0).line()).toBe('upload: 0 %, 0 of 10');
  });
});

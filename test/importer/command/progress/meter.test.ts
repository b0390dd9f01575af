/** Progress as figures and text. Costs milliseconds; the clock is the test's. */
import { describe, expect, it } from 'vitest';
import { barLine, Meter, plainLine } from '../../../../bin/importer/command/progress/meter.ts';

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

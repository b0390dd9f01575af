/** Progress as figures and text. Costs milliseconds; the clock is the test's. */
import { describe, expect, it } from 'vitest';
import { barLine, duration, Meter, plainLine } from '../../../bin/cli/progress/meter.ts';

describe('a meter', () => {
  it('shows share, rate and time left from the last half minute', () => {
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

  it('shows no rate and time before they can be computed', () => {
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

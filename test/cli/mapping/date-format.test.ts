/** Dates as exports write them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { convertDate } from '../../../bin/cli/mapping/date-format.ts';

describe('a date', () => {
  it.each([
    ['2024-01-31', 'iso', undefined, '2024-01-31'],
    ['2024-01-31 10:30', 'iso', undefined, '2024-01-31T10:30Z'],
    ['2024-01-31 10:30:00 UTC', 'iso', 'Europe/Madrid', '2024-01-31T10:30:00Z'],
    ['2024-01-31T10:30:00+0100', 'iso', undefined, '2024-01-31T10:30:00+01:00'],
    ['2024-01-31 10:30', 'iso', 'Europe/Madrid', '2024-01-31T09:30:00.000Z'],
    ['2024-07-31 10:30', 'iso', 'Europe/Madrid', '2024-07-31T08:30:00.000Z'],
    ['1706697000', 'epoch', undefined, '2024-01-31T10:30:00.000Z'],
    ['1706697000000', 'epoch_ms', undefined, '2024-01-31T10:30:00.000Z'],
    ['Wednesday, 31 January 2024, 10:30 PM', 'dddd, D MMMM YYYY, h:mm A', undefined, '2024-01-31T22:30:00.000Z'],
    ['1/31/24', 'M/D/YY', undefined, '2024-01-31'],
    ['30.02.2024', 'DD.MM.YYYY', undefined, undefined],
    ['soon', 'iso', undefined, undefined],
  ])('%s as %s in %s', (text, format, zone, expected) => {
    expect(convertDate(text, format, zone)).toBe(expected);
  });

  it('a time that occurs twice is the first, and one that is skipped is still a time', () => {
    expect(convertDate('27/10/2024 02:30', 'DD/MM/YYYY HH:mm', 'Europe/Madrid')).toBe('2024-10-27T00:30:00.000Z');
    expect(convertDate('31/03/2024 02:30', 'DD/MM/YYYY HH:mm', 'Europe/Madrid')).toBe('2024-03-31T01:30:00.000Z');
  });
});

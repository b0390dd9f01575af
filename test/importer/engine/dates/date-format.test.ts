/** Dates as exports write them. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { convertDate } from '../../../../bin/importer/engine/dates/date-format.ts';

describe('convertDate', () => {
  it.each([
    ['2024-01-31', 'iso', undefined, '2024-01-31'],
    ['2024-01-31 10:30', 'iso', undefined, '2024-01-31T10:30:00.000Z'],
    ['2024-01-31 10:30:00 UTC', 'iso', 'Europe/Madrid', '2024-01-31T10:30:00.000Z'],
    ['2024-01-31T10:30:00+0100', 'iso', undefined, '2024-01-31T09:30:00.000Z'],
    ['2024-01-31 10:30', 'iso', 'Europe/Madrid', '2024-01-31T09:30:00.000Z'],
    ['2024-07-31 10:30', 'iso', 'Europe/Madrid', '2024-07-31T08:30:00.000Z'],
    ['1706697000', 'epoch', undefined, '2024-01-31T10:30:00.000Z'],
    ['1706697000000', 'epoch_ms', undefined, '2024-01-31T10:30:00.000Z'],
    ['Wednesday, 31 January 2024, 10:30 PM', 'dddd, D MMMM YYYY, h:mm A', undefined, '2024-01-31T22:30:00.000Z'],
    ['Mon 12/01/2026', 'dddd D/M/YYYY', undefined, '2026-01-12'],
    ['Mo., 12.01.2026', 'dddd, D.M.YYYY', undefined, '2026-01-12'],
    // 1 December is a Tuesday.
    ['Mon 12/01/2026', 'dddd M/D/YYYY', undefined, undefined],
    ['Passed 12/01/2026', 'dddd D/M/YYYY', undefined, undefined],
    ['1/31/24', 'M/D/YY', undefined, '2024-01-31'],
    ['30.02.2024', 'DD.MM.YYYY', undefined, undefined],
    ['soon', 'iso', undefined, undefined],
    ['2024-W05-3', 'iso', undefined, '2024-01-31'],
    ['2024-031', 'iso', undefined, '2024-01-31'],
    ['20240131T103000Z', 'iso', undefined, '2024-01-31T10:30:00.000Z'],
    ['W05/2024', '[W]WW/GGGG', undefined, '2024-01-29'],
    ['2024-W53-1', 'iso', undefined, undefined],
    ['45322', 'excel', undefined, '2024-01-31'],
    ['45322,4375', 'excel', 'Europe/Madrid', '2024-01-31T09:30:00.000Z'],
    ['43860.5', 'excel_1904', undefined, '2024-01-31T12:00:00.000Z'],
    ['Jan-31-2024 10:30 AM Europe/Berlin', 'MMM-DD-YYYY hh:mm A Z', undefined, '2024-01-31T09:30:00.000Z'],
    ['1/31/2024 9:00 AM America/New York', 'M/D/YYYY h:mm A Z', 'Europe/Madrid', '2024-01-31T14:00:00.000Z'],
    ['1/31/24, 10:30 AM PST', 'M/D/YY, h:mm A Z', 'Europe/Madrid', '2024-01-31T18:30:00.000Z'],
    ['31/01/2024 10:30 +0530', 'DD/MM/YYYY HH:mm Z', undefined, '2024-01-31T05:00:00.000Z'],
    ['31/01/2024 10:30 XYZ', 'DD/MM/YYYY HH:mm Z', undefined, undefined],
    ['31. Januar 2024, 10:30 Uhr', 'D. MMMM YYYY, HH:mm [Uhr]', undefined, '2024-01-31T10:30:00.000Z'],
    ['31 de enero de 2024', 'D [de] MMMM [de] YYYY', undefined, '2024-01-31'],
    ['31 janv. 2024', 'D MMM YYYY', undefined, '2024-01-31'],
    ['31 stycznia 2024', 'D MMMM YYYY', undefined, '2024-01-31'],
    ['30 Dekabr 2023', 'D MMMM YYYY', undefined, '2023-12-30'],
    ['5 İyul 2024', 'D MMMM YYYY', undefined, '2024-07-05'],
    ['31 listopad 2024', 'D MMMM YYYY', undefined, undefined],
    ['Sept. 3rd, 2024', 'MMM Do, YYYY', undefined, '2024-09-03'],
    ['31/01/99', 'DD/MM/YY', undefined, '1999-01-31'],
    ['31/01/2024 10:61', 'DD/MM/YYYY HH:mm', undefined, undefined],
    ['31/01/2024 14:30 PM', 'DD/MM/YYYY hh:mm A', undefined, undefined],
    [`${'1'.repeat(5000)}/1/2024`, 'D/M/YYYY', undefined, undefined],
  ])('convertDate: %s in the format %s and the zone %s → %s', (text, format, zone, expected) => {
    expect(convertDate(text, format, { zone })).toBe(expected);
  });

  it('a time that occurs twice is the first, and one that is skipped is still a time', () => {
    expect(convertDate('27/10/2024 02:30', 'DD/MM/YYYY HH:mm', { zone: 'Europe/Madrid' })).toBe(
      '2024-10-27T00:30:00.000Z',
    );
    expect(convertDate('31/03/2024 02:30', 'DD/MM/YYYY HH:mm', { zone: 'Europe/Madrid' })).toBe(
      '2024-03-31T01:30:00.000Z',
    );
  });

  it('asks for the offset of a zone once a day, and for each quarter of an hour of a day on which it changes', () => {
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const quarters = Array.from({ length: 96 }, (_, quarter) => quarter * 15 * 60_000);
    const hoursOn = (day: string): string[] =>
      quarters.map((ms) => new Date(Date.parse(day) + ms).toISOString().slice(0, 19));
    const locals = ['2024-07-05', '2024-04-07'].flatMap(hoursOn);
    const times = locals.map((text) => convertDate(text, 'iso', { zone: 'Australia/Lord_Howe' }));
    const count = asked.mock.calls.length;
    asked.mockRestore();
    const offsets = times.map((time, index) => Date.parse(`${locals[index]}Z`) - Date.parse(time ?? ''));
    expect([...new Set(offsets)]).toEqual([10.5 * 3_600_000, 11 * 3_600_000]);
    expect(count).toBeLessThan(96 + 10);
    expect(count).toBeGreaterThan(0);
  });

  it('a date may be in one of several formats, and in the language that the mapping names', () => {
    expect(convertDate('1706697000', ['DD/MM/YYYY', 'epoch'])).toBe('2024-01-31T10:30:00.000Z');
    expect(convertDate('3 listopada 2024', 'D MMMM YYYY', { language: 'pl' })).toBe('2024-11-03');
    expect(convertDate('3. listopada 2024', 'D. MMMM YYYY', { language: 'hr' })).toBe('2024-10-03');
  });

  it('a date may name a zone whose abbreviation the mapping explains', () => {
    expect(convertDate('31/01/2024 10:30 BST', 'DD/MM/YYYY HH:mm Z', { zones: { BST: '+01:00' } })).toBe(
      '2024-01-31T09:30:00.000Z',
    );
  });
});

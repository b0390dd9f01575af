/** Dates as clients may send them. Costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant, parseInstant } from '../../functions/records/instants.ts';

describe('dates are read as UTC instants with milliseconds', () => {
  it.each([
    ['a plain date is midnight UTC', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['no offset means UTC', '2024-03-01T09:30', '2024-03-01T09:30:00.000Z'],
    ['hours and minutes with Z', '2024-03-01T09:30Z', '2024-03-01T09:30:00.000Z'],
    ['seconds', '2024-03-01T09:30:59Z', '2024-03-01T09:30:59.000Z'],
    ['seconds without an offset', '2024-03-01T09:30:59', '2024-03-01T09:30:59.000Z'],
    ['one fraction digit', '2024-03-01T09:30:59.5Z', '2024-03-01T09:30:59.500Z'],
    ['nine fraction digits are cut, not rounded', '2024-03-01T09:30:59.999999999Z', '2024-03-01T09:30:59.999Z'],
    ['an offset ahead of UTC', '2024-03-01T00:30:00+02:00', '2024-02-29T22:30:00.000Z'],
    ['an offset behind UTC', '2024-12-31T23:30-03:45', '2025-01-01T03:15:00.000Z'],
    ['a zero offset', '2024-03-01T09:30-00:00', '2024-03-01T09:30:00.000Z'],
    ['the widest offset', '2024-03-02T00:00+23:59', '2024-03-01T00:01:00.000Z'],
    ['a leap day of a century divisible by 400', '2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['a year below 100', '0050-06-01', '0050-06-01T00:00:00.000Z'],
    ['the first instant', '0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['the last instant', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s', (_reason, text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    ['30 February', '2024-02-30'],
    ['29 February of a common year', '2023-02-29'],
    ['29 February of a century', '1900-02-29'],
    ['31 April', '2024-04-31T10:00:00Z'],
    ['month 13', '2024-13-01'],
    ['month 0', '2024-00-10'],
    ['day 0', '2024-01-00'],
    ['24:00', '2024-01-01T24:00:00Z'],
    ['hour 25', '2024-01-01T25:00:00Z'],
    ['minute 60', '2024-01-01T10:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['a week date', '2024-W09-5'],
    ['an ordinal date', '2024-060'],
    ['the basic form', '20240301T093000Z'],
    ['a blank for T', '2024-03-01 09:30:00Z'],
    ['lower-case letters', '2024-03-01t09:30:00z'],
    ['a plain date with an offset', '2024-03-01Z'],
    ['hours alone', '2024-03-01T09Z'],
    ['ten fraction digits', '2024-03-01T09:30:00.0123456789Z'],
    ['an empty fraction', '2024-03-01T09:30:00.Z'],
    ['a comma for the point', '2024-03-01T09:30:00,5Z'],
    ['a fraction of a minute', '2024-03-01T09:30.5Z'],
    ['an offset without a colon', '2024-03-01T09:30:00+0200'],
    ['an offset of hours alone', '2024-03-01T09:30:00+02'],
    ['an offset of 24 hours', '2024-03-01T09:30:00+24:00'],
    ['an offset of 60 minutes', '2024-03-01T09:30:00+01:60'],
    ['a signed year', '+002024-03-01'],
    ['an instant before year 0', '0000-01-01T00:00:00+01:00'],
    ['an instant after year 9999', '9999-12-31T23:59:59-01:00'],
    ['other digits', '２０２４-03-01'],
    ['a trailing line break', '2024-03-01\n'],
    ['blanks around it', ' 2024-03-01 '],
    ['a Unix time', '1709285400'],
    ['an English date', 'March 1, 2024'],
    ['nothing', ''],
  ])('%s is none', (_reason, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('reads back every instant it can write', () => {
    const limits = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
    fc.assert(
      fc.property(fc.date({ ...limits, noInvalidDate: true }), (instant) => {
        expect(parseInstant(instant.toISOString())).toBe(instant.toISOString());
      }),
    );
  });
});

it('instant writes milliseconds as a UTC instant', () => {
  expect(instant(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(instant(Date.UTC(2024, 1, 29, 9, 30))).toBe('2024-02-29T09:30:00.000Z');
});

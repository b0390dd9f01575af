/** Dates as clients may send them. Costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATE_PATTERN, instant, parseInstant } from '../../functions/records/instants.ts';
import { formsOf } from '../kit/date-forms.ts';
import { cases } from '../kit/at-length.ts';

describe('parseInstant', () => {
  it.each([
    ['a plain date is midnight UTC', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['no offset means UTC', '2024-03-01T09:30', '2024-03-01T09:30:00.000Z'],
    ['hours and minutes with Z', '2024-03-01T09:30Z', '2024-03-01T09:30:00.000Z'],
    ['seconds', '2024-03-01T09:30:59Z', '2024-03-01T09:30:59.000Z'],
    ['seconds without an offset', '2024-03-01T09:30:59', '2024-03-01T09:30:59.000Z'],
    ['one fraction digit', '2024-03-01T09:30:59.5Z', '2024-03-01T09:30:59.500Z'],
    ['a comma for the point', '2024-03-01T09:30:59,5Z', '2024-03-01T09:30:59.500Z'],
    ['nine fraction digits are cut, not rounded', '2024-03-01T09:30:59.999999999Z', '2024-03-01T09:30:59.999Z'],
    ['an offset ahead of UTC', '2024-03-01T00:30:00+02:00', '2024-02-29T22:30:00.000Z'],
    ['an offset behind UTC', '2024-12-31T23:30-03:45', '2025-01-01T03:15:00.000Z'],
    ['an offset without a colon', '2024-03-01T09:30:00+0230', '2024-03-01T07:00:00.000Z'],
    ['an offset of hours alone', '2024-03-01T09:30:00-02', '2024-03-01T11:30:00.000Z'],
    ['a zero offset', '2024-03-01T09:30-00:00', '2024-03-01T09:30:00.000Z'],
    ['the widest offset', '2024-03-02T00:00+23:59', '2024-03-01T00:01:00.000Z'],
    ['the basic form', '20240301T093000Z', '2024-03-01T09:30:00.000Z'],
    ['a plain date in the basic form', '20240229', '2024-02-29T00:00:00.000Z'],
    ['a basic time to the minute', '20240229T0102', '2024-02-29T01:02:00.000Z'],
    ['a basic time with a fraction', '20240229T010203,25', '2024-02-29T01:02:03.250Z'],
    ['the offset may be in the other form', '20240301T0930+02:00', '2024-03-01T07:30:00.000Z'],
    ['an ordinal date', '2024-060', '2024-02-29T00:00:00.000Z'],
    ['a basic ordinal date with a time', '2024060T0930', '2024-02-29T09:30:00.000Z'],
    ['the last day of a leap year', '2024-366', '2024-12-31T00:00:00.000Z'],
    ['a week date', '2024-W09-5', '2024-03-01T00:00:00.000Z'],
    ['a basic week date with a time', '2024W095T093000Z', '2024-03-01T09:30:00.000Z'],
    ['week 53 reaches into the next year', '2020-W53-7', '2021-01-03T00:00:00.000Z'],
    ['week 1 begins in the year before', '2025-W01-1', '2024-12-30T00:00:00.000Z'],
    ['24:00 is the next midnight', '2024-02-29T24:00', '2024-03-01T00:00:00.000Z'],
    ['24:00 with seconds and a fraction of zeros', '2024-12-31T24:00:00.000Z', '2025-01-01T00:00:00.000Z'],
    ['24:00 at an offset', '2024-02-29T24:00+02:00', '2024-02-29T22:00:00.000Z'],
    ['23:59:60 is the next second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['a fraction of a leap second', '2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.500Z'],
    ['23:59:60 of UTC, at an offset', '2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
    ['23:59:60 of UTC, behind it, in the basic form', '20161231T184460,25-0515', '2017-01-01T00:00:00.250Z'],
    ['a fraction of an hour', '2024-03-01T09.5Z', '2024-03-01T09:30:00.000Z'],
    ['a fraction of an hour is cut to milliseconds', '2024-03-01T23.999999999', '2024-03-01T23:59:59.999Z'],
    ['a fraction of an hour in the basic form', '20240301T09,25+02', '2024-03-01T07:15:00.000Z'],
    ['a fraction of a minute', '2024-03-01T09:30.5Z', '2024-03-01T09:30:30.000Z'],
    ['a fraction of a minute in the basic form', '20240301T0930,25', '2024-03-01T09:30:15.000Z'],
    ['24 with a fraction of zeros', '2024-02-29T24.0', '2024-03-01T00:00:00.000Z'],
    ['a leap day of a century divisible by 400', '2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['a year below 100', '0050-06-01', '0050-06-01T00:00:00.000Z'],
    ['the first instant', '0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['the last instant', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['the last day as a week date', '9999-W52-5', '9999-12-31T00:00:00.000Z'],
    ['the end of the last day, by an offset', '9999-12-31T24:00+00:01', '9999-12-31T23:59:00.000Z'],
  ])('dates are read as UTC instants with milliseconds: %s', (_reason, text, instant) => {
    expect(parseInstant(text)).toBe(instant);
    expect(text).toMatch(new RegExp(DATE_PATTERN));
  });

  it.each([
    ['30 February', '2024-02-30'],
    ['29 February of a common year', '2023-02-29'],
    ['29 February of a century', '1900-02-29'],
    ['30 February in the basic form', '20240230'],
    ['31 April', '2024-04-31T10:00:00Z'],
    ['month 13', '2024-13-01'],
    ['month 0', '2024-00-10'],
    ['day 0', '2024-01-00'],
    ['day 0 of the year', '2024-000'],
    ['day 366 of a common year', '2023-366'],
    ['day 367', '2024-367'],
    ['week 0', '2024-W00-7'],
    ['week 53 of a year of 52', '2021-W53-1'],
    ['week 54', '2020-W54-1'],
    ['weekday 0', '2024-W09-0'],
    ['weekday 8', '2024W098'],
    ['a minute after 24:00', '2024-01-01T24:01:00Z'],
    ['a second after 24:00', '2024-01-01T24:00:01Z'],
    ['a moment after 24:00', '2024-01-01T24:00:00.0001Z'],
    ['hour 25', '2024-01-01T25:00:00Z'],
    ['minute 60', '2024-01-01T10:60:00Z'],
    ['second 60 at another minute', '2024-01-01T10:00:60Z'],
    ['second 60 at 23:59 of another offset', '2016-12-31T23:59:60+01:00'],
    ['a fraction of an hour after 24', '2024-01-01T24.001'],
    ['a fraction before the minutes', '2024-01-01T10.5:30'],
    ['a fraction of ten digits of an hour', '2024-01-01T10.0123456789'],
    ['the year 0000, though the instant is in year 1', '0000-12-31T23:00-01:00'],
    ['the year 0000 by its last midnight', '0000-12-31T24:00'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['a year alone', '2024'],
    ['a month alone', '2024-05'],
    ['a basic month alone', '202405'],
    ['a week alone', '2024-W09'],
    ['a basic week alone', '2024W09'],
    ['hours alone', '2024-03-01T09Z'],
    ['basic hours alone', '20240301T09'],
    ['a date without a time behind its T', '2024-03-01T'],
    ['a time alone', 'T09:30'],
    ['a date half in the basic form', '2024-0301'],
    ['an ordinal date half in the basic form', '2024060T09:30'],
    ['a week date half in the basic form', '2024-W095'],
    ['a week date without its hyphen', '2024W09-5'],
    ['a basic date with an extended time', '20240301T09:30'],
    ['an extended date with a basic time', '2024-03-01T0930'],
    ['a time half in the basic form', '2024-03-01T09:3000'],
    ['a blank for T', '2024-03-01 09:30:00Z'],
    ['a lower-case t', '2024-03-01t09:30:00Z'],
    ['a lower-case z', '2024-03-01T09:30:00z'],
    ['a lower-case w', '2024-w09-5'],
    ['a plain date with Z', '2024-03-01Z'],
    ['a plain date with an offset', '2024-03-01+02:00'],
    ['ten fraction digits', '2024-03-01T09:30:00.0123456789Z'],
    ['an empty fraction', '2024-03-01T09:30:00.Z'],
    ['an offset of one digit', '2024-03-01T09:30+2'],
    ['an offset of three digits', '2024-03-01T09:30+200'],
    ['an offset of one digit with minutes', '2024-03-01T09:30+2:00'],
    ['an offset of 24 hours', '2024-03-01T09:30:00+24:00'],
    ['an offset of 60 minutes', '2024-03-01T09:30:00+0160'],
    ['a signed year', '+002024-03-01'],
    ['year 0', '0000-12-31T23:59:59.999Z'],
    ['the first instant moved to year 0', '0001-01-01T00:00:00+00:01'],
    ['the last instant moved to year 10000', '9999-12-31T23:59:59-00:01'],
    ['the end of year 9999', '9999-12-31T24:00'],
    ['the leap second of year 9999', '9999-12-31T23:59:60Z'],
    ['a week date in year 10000', '9999-W52-6'],
    ['other digits', '２０２４-03-01'],
    ['a trailing line break', '2024-03-01\n'],
    ['blanks around it', ' 2024-03-01 '],
    ['a Unix time', '1709285400'],
    ['an English date', 'March 1, 2024'],
    ['an interval', '2024-03-01/2024-03-02'],
    ['nothing', ''],
  ])('%s is no date', (_reason, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  const FIRST_MS = new Date(0).setUTCFullYear(1, 0, 1);
  const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  /** Round moments have the most forms, and those about new year the most week years. */
  const moment = fc
    .tuple(
      fc.oneof(fc.integer({ min: FIRST_MS, max: LAST_MS }), fc.constantFrom(FIRST_MS, LAST_MS, Date.UTC(2020, 11, 31))),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(1, 1000, 60_000, 86_400_000),
    )
    .map(([ms, days, unit]) => Math.floor((ms + days * 86_400_000) / unit) * unit)
    .filter((ms) => ms >= FIRST_MS && ms <= LAST_MS);
  const offset = fc.oneof(fc.constant(0), fc.integer({ min: -1439, max: 1439 }), fc.constantFrom(-60, 120, 840));

  it('every valid form of one instant gives the same instant', () => {
    const pattern = new RegExp(DATE_PATTERN);
    fc.assert(
      fc.property(moment, offset, (ms, minutes) => {
        const read = formsOf(ms, minutes).map((text) => [text, parseInstant(text), pattern.test(text)]);
        expect(read).toEqual(read.map(([text]) => [text, new Date(ms).toISOString(), true]));
      }),
      { numRuns: cases(500, 100) },
    );
  });

  it('one midnight has hundreds of forms: six plain dates, and with a time 24:00 and 23:59:60 of the day before too', () => {
    const forms = new Set(formsOf(Date.UTC(2024, 2, 1)));
    expect([...forms].filter((text) => !text.includes('T'))).toHaveLength(6);
    expect([...forms]).toEqual(expect.arrayContaining(['2024-060T24:00', '2024W094T235960Z', '20240301T0000+00']));
    expect(forms.size).toBe(936);
  });

  it('every written instant is read as itself', () => {
    fc.assert(
      fc.property(moment, (ms) => {
        expect(parseInstant(instant(ms))).toBe(instant(ms));
      }),
    );
  });
});

it('instant: milliseconds → a UTC instant', () => {
  expect(instant(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(instant(Date.UTC(2024, 1, 29, 9, 30))).toBe('2024-02-29T09:30:00.000Z');
});

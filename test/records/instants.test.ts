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
    ['nine fraction digits are cut, not rounded', '2024-03-01T09:30:59.999999999Z', '2024-03-01T09:30:59.999Z'],
    ['an offset ahead of UTC', '2024-03-01T00:30:00+02:00', '2024-02-29T22:30:00.000Z'],
    ['the offset may be in the other form', '20240301T0930+02:00', '2024-03-01T07:30:00.000Z'],
    ['a basic ordinal date with a time', '2024060T0930', '2024-02-29T09:30:00.000Z'],
    ['week 1 begins in the year before', '2025-W01-1', '2024-12-30T00:00:00.000Z'],
    ['24:00 at an offset', '2024-02-29T24:00+02:00', '2024-02-29T22:00:00.000Z'],
    ['23:59:60 of UTC, behind it, in the basic form', '20161231T184460,25-0515', '2017-01-01T00:00:00.250Z'],
    ['a fraction of an hour in the basic form', '20240301T09,25+02', '2024-03-01T07:15:00.000Z'],
    ['a year below 100', '0050-06-01', '0050-06-01T00:00:00.000Z'],
    ['the last instant', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('dates are read as UTC instants with milliseconds: %s', (_reason, text, instant) => {
    expect(parseInstant(text)).toBe(instant);
    expect(text).toMatch(new RegExp(DATE_PATTERN));
  });

  it.each([
    ['30 February', '2024-02-30'],
    ['29 February of a common year', '2023-02-29'],
    ['month 13', '2024-13-01'],
    ['month 0', '2024-00-10'],
    ['day 0', '2024-01-00'],
    ['day 0 of the year', '2024-000'],
    ['day 367', '2024-367'],
    ['week 0', '2024-W00-7'],
    ['week 53 of a year of 52', '2021-W53-1'],
    ['weekday 8', '2024W098'],
    ['weekday 0', '2024-W09-0'],
    ['a minute after 24:00', '2024-01-01T24:01:00Z'],
    ['a moment after 24:00', '2024-01-01T24:00:00.0001Z'],
    ['a moment after 24:00', '2024-01-01T24:00:00.0001Z'],
    ['hour 25', '2024-01-01T25:00:00Z'],
    ['minute 60', '2024-01-01T10:60:00Z'],
    ['second 60 at 23:59 of another offset', '2016-12-31T23:59:60+01:00'],
    ['a fraction before the minutes', '2024-01-01T10.5:30'],
    ['the year 0000, though the instant is in year 1', '0000-12-31T23:00-01:00'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['a month alone', '2024-05'],
    ['a week alone', '2024-W09'],
    ['hours alone', '2024-03-01T09Z'],
    ['a date without a time behind its T', '2024-03-01T'],
    ['a date half in the basic form', '2024-0301'],
    ['an extended date with a basic time', '2024-03-01T0930'],
    ['a blank for T', '2024-03-01 09:30:00Z'],
    ['a lower-case t', '2024-03-01t09:30:00Z'],
    ['a plain date with Z', '2024-03-01Z'],
    ['ten fraction digits', '2024-03-01T09:30:00.0123456789Z'],
    ['an empty fraction', '2024-03-01T09:30:00.Z'],
    ['an offset of one digit', '2024-03-01T09:30+2'],
    ['an offset of three digits', '2024-03-01T09:30+200'],
    ['an offset of 24 hours', '2024-03-01T09:30:00+24:00'],
    ['an offset of 60 minutes', '2024-03-01T09:30:00+0160'],
    ['the first instant moved to year 0', '0001-01-01T00:00:00+00:01'],
    ['the last instant moved to year 10000', '9999-12-31T23:59:59-00:01'],
    ['the end of year 9999', '9999-12-31T24:00'],
    ['a trailing line break', '2024-03-01\n'],
    ['blanks around it', ' 2024-03-01 '],
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
});

it('instant: milliseconds → a UTC instant', () => {
  expect(instant(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(instant(Date.UTC(2024, 1, 29, 9, 30))).toBe('2024-02-29T09:30:00.000Z');
});

/** The warnings about the dates of a record (rule 5): three kinds, each field, at the border. Costs milliseconds. */
import { expect, it } from 'vitest';
import { inCourse, plan, record, warningsOf } from './fixtures.ts';

// The import is of 2026-01-02T03:04:05.678Z.
const [LATEST, LATER] = ['2026-01-03T03:04:05.678Z', '2026-01-03T03:04:05.679Z'];
const [EARLIEST, EARLIER] = ['1970-01-01', '1969-12-31T23:59:59.999Z'];
const passedAt = (taken_at: string, status = 'passed') => ({ assessment: { status, taken_at } });
const viewedAt = (viewed_at: string, platform_class_id = 1001) => ({ classes: [{ platform_class_id, viewed_at }] });

const dateWarnings = (progress: object, members: object = {}) =>
  plan(record({ progress: { completion_pct: 50, ...progress }, ...members })).result.warnings.filter(
    ({ warning_code }) => warning_code === 'date_implausible',
  );

it.each([
  ['progress.started_at', (at: string) => dateWarnings({ started_at: at })],
  ['progress.last_activity_at', (at: string) => dateWarnings({ last_activity_at: at })],
  ['progress.completed_at', (at: string) => dateWarnings({ completed_at: at })],
  ['assessment.taken_at', (at: string) => dateWarnings({}, passedAt(at))],
  ['assessment.taken_at', (at: string) => dateWarnings({}, passedAt(at, 'failed'))],
  ['progress.classes.0.viewed_at', (at: string) => dateWarnings(viewedAt(at))],
])('a date before 1970, or more than a day after the import, is implausible: %s', (field, warned) => {
  expect([LATEST, EARLIEST].flatMap(warned)).toEqual([]);
  expect([LATER, EARLIER].flatMap(warned).map((warning) => warning.field)).toEqual([field, field]);
});

it.each([
  ['the completion', (at: string) => dateWarnings({ started_at: '2024-05-01', completed_at: at })],
  ['the last activity', (at: string) => dateWarnings({ started_at: '2024-05-01', last_activity_at: at })],
  ['the certification', (at: string) => dateWarnings({ started_at: '2024-05-01' }, passedAt(at))],
])('a start after %s is implausible', (_, warned) => {
  expect(warned('2024-05-01')).toEqual([]);
  expect(warned('2024-04-30T23:59:59.999Z').map((warning) => warning.field)).toEqual(['progress.started_at']);
});

it.each([
  ['of an exam that was not passed, before the start', { started_at: '2024-05-01' }, passedAt('2023-01-01', 'failed')],
  ['of an assessment that is ignored', {}, { ...inCourse(102), ...passedAt('2099-01-01') }],
  ['of a class that is not of the course', viewedAt('2099-01-01', 5), {}],
  ['that are not sent', { completed_at: '2019-01-01' }, {}],
])('dates do not count: %s', (_, progress, members) => {
  expect(dateWarnings(progress, members)).toEqual([]);
});

it('one warning names every date and why', () => {
  const dates = { started_at: '2031-01-01', completed_at: '1901-01-01' };
  expect(dateWarnings(dates, passedAt('2099-01-01')).map(({ message }) => message)).toEqual([
    'More than a day after this import: progress.started_at 2031-01-01T00:00:00.000Z, assessment.taken_at 2099-01-01T00:00:00.000Z. ' +
      'Before 1970: progress.completed_at 1901-01-01T00:00:00.000Z. ' +
      'After progress.completed_at 1901-01-01T00:00:00.000Z: progress.started_at 2031-01-01T00:00:00.000Z. ' +
      'Correct it and send the record with replace.',
  ]);
});

it.each([
  ['a completion', { completion_pct: 100 }, {}, ['date_assumed progress.completed_at']],
  [
    'a certification',
    { completion_pct: 50 },
    { assessment: { status: 'passed' } },
    ['date_assumed assessment.taken_at'],
  ],
  ['no completion', { completion_pct: 99 }, {}, []],
  ['a completion that is sent', { completion_pct: 100, completed_at: '2024-01-01' }, {}, []],
  ['a completion that is null', { completion_pct: 100, completed_at: null }, {}, []],
])('a date that the import assumed is named: %s', (_, progress, members, warnings) => {
  expect(warningsOf(plan(record({ progress, ...members })))).toEqual(warnings);
});

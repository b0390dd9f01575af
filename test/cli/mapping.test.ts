/** Mapping files: what columns become, and how a wrong one is refused. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { UsageFault } from '../../bin/cli/faults.ts';
import { HeaderColumns } from '../../bin/cli/mapping/columns.ts';
import { compileMapping } from '../../bin/cli/mapping/compile.ts';
import { convertDate } from '../../bin/cli/mapping/date-format.ts';
import { guessMapping } from '../../bin/cli/mapping/guess-mapping.ts';
import { findMapping, loadMapping } from '../../bin/cli/mapping/load.ts';
import type { Mapping } from '../../bin/cli/mapping/schema.ts';
import { openSource } from '../../bin/cli/source/open-source.ts';
import { fileOf } from './support/files.ts';

const COLUMNS = ['Id', 'Email', 'Course', 'Value', 'Other'];
const BASE = { external_record_id: 'Id' };

function recordOf(record: Mapping['record'], value: string, more: Partial<Mapping> = {}): Record<string, unknown> {
  const toRecord = compileMapping(
    { ...more, record: { ...BASE, ...record } },
    new HeaderColumns('history.csv', COLUMNS),
  );
  return { ...toRecord(['r-1', 'ana@acme.test', 'C7', value, 'other']) };
}

describe('a column', () => {
  it.each<[string, Mapping['record'], string, Partial<Mapping>, object]>([
    ['fills a member', { 'user.email': 'Email' }, '', {}, { user: { email: 'ana@acme.test' } }],
    ['is found whatever its letter case', { 'user.email': 'EMAIL' }, '', {}, { user: { email: 'ana@acme.test' } }],
    ['with nothing in it leaves the member out', { 'progress.completion_pct': 'Value' }, '  ', {}, {}],
    ['with a text that means nothing leaves it out', { 'progress.completion_pct': 'Value' }, '-', { empty: ['-'] }, {}],
    [
      'may have such texts of its own',
      { 'progress.started_at': { column: 'Value', dates: 'epoch', empty: ['0'] } },
      '0',
      {},
      {},
    ],
    [
      'with a percent sign is a number',
      { 'progress.completion_pct': 'Value' },
      '85 %',
      {},
      { progress: { completion_pct: 85 } },
    ],
    [
      'with a decimal comma is a number',
      { 'progress.completion_pct': 'Value' },
      '85,5',
      { decimal: ',' },
      { progress: { completion_pct: 85.5 } },
    ],
    [
      'of shares is scaled without binary noise',
      { 'progress.completion_pct': { column: 'Value', scale: 100 } },
      '0.07',
      {},
      { progress: { completion_pct: 7 } },
    ],
    [
      'that is no number goes to the service as it is',
      { 'progress.completion_pct': 'Value' },
      'most',
      {},
      { progress: { completion_pct: 'most' } },
    ],
    [
      'of platform ids gives numbers',
      { 'content.platform_course_id': 'Value' },
      '101',
      {},
      { content: { type: 'course', platform_course_id: 101 } },
    ],
    [
      'of external ids stays text',
      { 'content.external_course_id': 'Value' },
      '007',
      {},
      { content: { type: 'course', external_course_id: '007' } },
    ],
    [
      'is translated',
      { 'assessment.status': { column: 'Value', values: { Apto: 'passed' } } },
      'apto',
      {},
      { assessment: { status: 'passed' } },
    ],
    [
      'is translated with a rest',
      { 'assessment.status': { column: 'Value', values: { Apto: 'passed' }, otherwise: 'not_taken' } },
      'x',
      {},
      { assessment: { status: 'not_taken' } },
    ],
    [
      'may hold the interface’s words in other letters',
      { 'assessment.status': 'Value' },
      'Not taken',
      {},
      { assessment: { status: 'not_taken' } },
    ],
    [
      'of dates is read by its format',
      { 'progress.started_at': 'Value' },
      '31/01/2024',
      { dates: 'DD/MM/YYYY' },
      { progress: { started_at: '2024-01-31' } },
    ],
    [
      'of dates that do not exist goes to the service as it is',
      { 'progress.started_at': 'Value' },
      '31/02/2024',
      { dates: 'DD/MM/YYYY' },
      { progress: { started_at: '31/02/2024' } },
    ],
    [
      'may be one class, viewed if filled',
      { 'progress.classes': [{ column: 'Value', platform_class_id: 1011 }] },
      'x',
      {},
      { progress: { classes: [{ platform_class_id: 1011 }] } },
    ],
    [
      'may be one class, viewed on a date',
      { 'progress.classes': [{ column: 'Value', platform_class_id: 1011, dates: 'iso' }] },
      '2024-01-31 10:00',
      {},
      { progress: { classes: [{ platform_class_id: 1011, viewed_at: '2024-01-31T10:00Z' }] } },
    ],
    [
      'may be one class, viewed by some words only',
      { 'progress.classes': [{ column: 'Value', platform_class_id: 1011, viewed: ['Completed'] }] },
      'Not completed',
      {},
      {},
    ],
    [
      'may list classes',
      { 'progress.classes': { column: 'Value' } },
      '1011; 1012@2024-01-31',
      {},
      { progress: { classes: [{ platform_class_id: 1011 }, { platform_class_id: 1012, viewed_at: '2024-01-31' }] } },
    ],
    [
      'may list classes as JSON',
      { 'progress.classes': { column: 'Value', json: true } },
      '[{"platform_class_id":1}]',
      {},
      { progress: { classes: [{ platform_class_id: 1 }] } },
    ],
    [
      'may be stood for by a constant',
      { 'content.platform_course_id': { constant: 101 } },
      '',
      {},
      { content: { type: 'course', platform_course_id: 101 } },
    ],
  ])('%s', (_, record, value, more, expected) => {
    expect(recordOf(record, value, more)).toEqual({
      external_record_id: 'r-1',
      content: { type: 'course' },
      ...expected,
    });
  });

  it('may be one of several that make an id, which is absent where one is empty', () => {
    const record = { external_record_id: { template: '{Email}/{Value}' } };
    expect(recordOf(record, '7')['external_record_id']).toBe('ana@acme.test/7');
    expect(recordOf(record, '')['external_record_id']).toBeUndefined();
  });
});

describe('dates', () => {
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

  it('a time that clocks show twice is the first, and one that they skip is still some time', () => {
    expect(convertDate('27/10/2024 02:30', 'DD/MM/YYYY HH:mm', 'Europe/Madrid')).toBe('2024-10-27T00:30:00.000Z');
    expect(convertDate('31/03/2024 02:30', 'DD/MM/YYYY HH:mm', 'Europe/Madrid')).toBe('2024-03-31T01:30:00.000Z');
  });
});

describe('a wrong mapping is refused', () => {
  const refusal = (mapping: unknown): string => {
    try {
      loadMapping(fileOf(typeof mapping === 'string' ? mapping : JSON.stringify(mapping), 'history.mapping.json'));
    } catch (error) {
      expect(error).toBeInstanceOf(UsageFault);
      return (error as Error).message;
    }
    return 'accepted';
  };

  it.each([
    ['that is no JSON', '{', 'history.mapping.json'],
    ['without a record id', { record: {} }, 'record.external_record_id'],
    ['with a member records do not have', { record: { ...BASE, 'user.mail': 'Email' } }, 'record.user.mail'],
    [
      'with two sources for one member',
      { record: { ...BASE, 'user.email': { column: 'Email', constant: 'x' } } },
      'record.user.email',
    ],
    ['with a date format without a year', { dates: 'DD/MM', record: BASE }, 'dates'],
    ['with a time zone that does not exist', { time_zone: 'Mars/Base', record: BASE }, 'time_zone'],
    ['with a member of its own', { datum: 1, record: BASE }, 'datum'],
  ])('%s', (_, mapping, named) => {
    expect(refusal(mapping)).toContain(named);
  });

  it('that names a column the file lacks, with the one that may be meant', () => {
    expect(() =>
      compileMapping({ record: { ...BASE, 'user.email': 'E-Mail' } }, new HeaderColumns('history.csv', COLUMNS)),
    ).toThrow(
      'history.csv, line 1: there is no column "E-Mail", which the mapping names for user.email; did you mean "Email"?',
    );
  });

  it('that names a column which is there twice', () => {
    expect(() => compileMapping({ record: BASE }, new HeaderColumns('history.csv', ['Id', 'x', 'Id']))).toThrow(
      'columns 1 and 3',
    );
  });
});

describe('without a mapping', () => {
  it('columns with the interface’s own names need none', () => {
    const { mapping } = findMapping('history.csv', [
      'external_record_id',
      'user.email',
      'progress.classes',
      'error_codes',
    ]);
    expect(mapping.record).toEqual({
      external_record_id: 'external_record_id',
      'user.email': 'user.email',
      'progress.classes': { column: 'progress.classes', json: true },
    });
  });

  it('other columns are refused rather than guessed', () => {
    expect(() => findMapping('history.csv', COLUMNS)).toThrow('init-mapping');
  });
});

describe('a draft', () => {
  const draftOf = async (csv: string) => guessMapping(await openSource(fileOf(csv)));

  it('finds columns, date formats, scales and words of an export', async () => {
    const { mapping } = await draftOf(
      'Email address;Course ID;Progress;Started;Status;Score\nana@x.test;C1;0,5;31/01/2024 10:30;Pass;0,9\nbo@x.test;C1;1;01/02/2024 09:00;Fail;0,4\n',
    );
    expect(mapping).toEqual({
      delimiter: ';',
      decimal: ',',
      record: {
        external_record_id: { template: '{Email address}/{Course ID}' },
        'user.email': 'Email address',
        'content.external_course_id': 'Course ID',
        'progress.completion_pct': { column: 'Progress', scale: 100 },
        'progress.started_at': { column: 'Started', dates: 'DD/MM/YYYY HH:mm' },
        'assessment.status': { column: 'Status', values: { Pass: 'passed', Fail: 'failed' } },
        'assessment.score_pct': { column: 'Score', scale: 100 },
      },
    });
  });

  it('says what it is not sure of', async () => {
    const { doubts } = await draftOf('Email,Started\nana@x.test,01/02/2024\n');
    expect(doubts.join('\n')).toMatch(/day or month first[\s\S]*COURSE[\s\S]*platform_course_id/);
  });
});

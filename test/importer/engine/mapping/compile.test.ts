/** The members of a record from the columns of a row. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { HeaderColumns } from '../../../../bin/importer/engine/mapping/columns.ts';
import { compileMapping } from '../../../../bin/importer/engine/mapping/compile.ts';
import type { Mapping } from '../../../../bin/importer/engine/mapping/schema.ts';

const COLUMNS = ['Id', 'Email', 'Course', 'Value', 'Other'];
const BASE = { external_record_id: 'Id' };

function recordOf(record: Mapping['record'], value: string, more: Partial<Mapping> = {}): Record<string, unknown> {
  const { toRecord } = compileMapping(
    { ...more, record: { ...BASE, ...record } },
    new HeaderColumns('history.csv', COLUMNS),
  );
  return { ...toRecord(['r-1', 'ana@acme.test', 'C7', value, 'other']) };
}

describe('compileMapping', () => {
  it.each<[string, Mapping['record'], string, Partial<Mapping>, object]>([
    ['a column fills a member', { 'user.email': 'Email' }, '', {}, { user: { email: 'ana@acme.test' } }],
    [
      'a column is found whatever its letter case',
      { 'user.email': 'EMAIL' },
      '',
      {},
      { user: { email: 'ana@acme.test' } },
    ],
    ['an empty cell leaves the member out', { 'progress.completion_pct': 'Value' }, '  ', {}, {}],
    [
      'a text that means nothing leaves the member out',
      { 'progress.completion_pct': 'Value' },
      '-',
      { empty: ['-'] },
      {},
    ],
    [
      'a source may list more texts that mean nothing',
      { 'progress.started_at': { column: 'Value', dates: 'epoch', empty: ['0'] } },
      '0',
      {},
      {},
    ],
    [
      'a text with a percent sign is a number',
      { 'progress.completion_pct': 'Value' },
      '85 %',
      {},
      { progress: { completion_pct: 85 } },
    ],
    [
      'a text with a decimal comma is a number',
      { 'progress.completion_pct': 'Value' },
      '85,5',
      { decimal: ',' },
      { progress: { completion_pct: 85.5 } },
    ],
    [
      'a fraction is scaled without binary rounding',
      { 'progress.completion_pct': { column: 'Value', scale: 100 } },
      '0.07',
      {},
      { progress: { completion_pct: 7 } },
    ],
    [
      'a text that is not a number is sent unchanged',
      { 'progress.completion_pct': 'Value' },
      'most',
      {},
      { progress: { completion_pct: 'most' } },
    ],
    [
      'an id of the platform is a number',
      { 'content.platform_course_id': 'Value' },
      '101',
      {},
      { content: { type: 'course', platform_course_id: 101 } },
    ],
    [
      'an id of the old system stays text',
      { 'content.external_course_id': 'Value' },
      '007',
      {},
      { content: { type: 'course', external_course_id: '007' } },
    ],
    [
      'a text is translated',
      { 'assessment.status': { column: 'Value', values: { Apto: 'passed' } } },
      'apto',
      {},
      { assessment: { status: 'passed' } },
    ],
    [
      'a text is translated, with a default for other texts',
      { 'assessment.status': { column: 'Value', values: { Apto: 'passed' }, otherwise: 'not_taken' } },
      'x',
      {},
      { assessment: { status: 'not_taken' } },
    ],
    [
      'a word of the interface may have another spelling',
      { 'assessment.status': 'Value' },
      'Not taken',
      {},
      { assessment: { status: 'not_taken' } },
    ],
    [
      'a date is read by its format',
      { 'progress.started_at': 'Value' },
      '31/01/2024',
      { dates: 'DD/MM/YYYY' },
      { progress: { started_at: '2024-01-31' } },
    ],
    [
      'a date that does not exist is sent unchanged',
      { 'progress.started_at': 'Value' },
      '31/02/2024',
      { dates: 'DD/MM/YYYY' },
      { progress: { started_at: '31/02/2024' } },
    ],
    [
      'a column may be one class, viewed if filled',
      { 'progress.classes': [{ column: 'Value', platform_class_id: 1011 }] },
      'x',
      {},
      { progress: { classes: [{ platform_class_id: 1011 }] } },
    ],
    [
      'a column may be one class, viewed on a date',
      { 'progress.classes': [{ column: 'Value', platform_class_id: 1011, dates: 'iso' }] },
      '2024-01-31 10:00',
      {},
      { progress: { classes: [{ platform_class_id: 1011, viewed_at: '2024-01-31T10:00:00.000Z' }] } },
    ],
    [
      'a column may be one class, viewed by some words only',
      { 'progress.classes': [{ column: 'Value', platform_class_id: 1011, viewed: ['Completed'] }] },
      'Not completed',
      {},
      {},
    ],
    [
      'a column may list classes',
      { 'progress.classes': { column: 'Value' } },
      '1011; 1012@2024-01-31',
      {},
      { progress: { classes: [{ platform_class_id: 1011 }, { platform_class_id: 1012, viewed_at: '2024-01-31' }] } },
    ],
    [
      'a column may list classes as JSON',
      { 'progress.classes': { column: 'Value', json: true } },
      '[{"platform_class_id":1}]',
      {},
      { progress: { classes: [{ platform_class_id: 1 }] } },
    ],
    [
      'a constant may replace a column',
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

  it('several columns may make an id, which is absent if one of them is empty', () => {
    const record = { external_record_id: { template: '{Email}/{Value}' } };
    expect(recordOf(record, '7')['external_record_id']).toBe('ana@acme.test/7');
    expect(recordOf(record, '')['external_record_id']).toBeUndefined();
  });
});

/** The members of a record from the columns of a row. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { HeaderColumns } from '../../../../bin/importer/engine/ground/columns.ts';
import { compileMapping } from '../../../../bin/importer/engine/apply/compile.ts';
import { type Field, memberOf } from '../../../../bin/importer/engine/ground/fields.ts';
import type { Mapping } from '../../../../bin/importer/engine/language/schema.ts';

const COLUMNS = new HeaderColumns('history.csv', ['Id', 'Email', 'Course', 'Value', 'Other']);

function recordOf(record: Mapping['record'], value: string, more: Partial<Mapping> = {}) {
  const { toRecord } = compileMapping({ ...more, record: { external_record_id: 'Id', ...record } }, COLUMNS);
  return toRecord(['r-1', 'ana@acme.test', 'C7', value, 'other']);
}

type Case = [name: string, field: Field, source: Mapping['record'][string], text: string, value?: unknown];
const PCT = 'progress.completion_pct';
const STARTED = 'progress.started_at';
const STATUS = 'assessment.status';
const CLASSES = 'progress.classes';
const APTO = { Apto: 'passed' };
const CLASS = { column: 'Value', platform_class_id: 1011 };
const VIEWED = { platform_class_id: 1011, viewed_at: '2024-01-31' };

describe('compileMapping', () => {
  it.each<Case>([
    ['a column fills a member', 'user.email', 'Email', '', 'ana@acme.test'],
    ['a column is found whatever its letter case', 'user.email', 'EMAIL', '', 'ana@acme.test'],
    ['an empty cell leaves the member out', PCT, 'Value', '  '],
    ['a source may list texts that mean nothing', STARTED, { column: 'Value', dates: 'epoch', empty: ['0'] }, '0'],
    ['a text with a percent sign is a number', PCT, 'Value', '85 %', 85],
    ['a fraction is scaled without binary rounding', PCT, { column: 'Value', scale: 100 }, '0.07', 7],
    ['a number is in the digits of another script', PCT, { column: 'Value' }, '٦٢٫٥٪', 62.5],
    ['a text that is not a number is sent unchanged', PCT, 'Value', 'most', 'most'],
    ['an id of the platform is a number', 'content.platform_course_id', 'Value', '101', 101],
    ['an id of the old system stays text', 'content.external_course_id', 'Value', '007', '007'],
    ['a text is translated', STATUS, { column: 'Value', values: APTO }, 'apto', 'passed'],
    ['another text has a default', STATUS, { column: 'Value', values: APTO, otherwise: 'not_taken' }, 'x', 'not_taken'],
    ['a word of the interface may have another spelling', STATUS, 'Value', 'Not taken', 'not_taken'],
    ['a column may be one class, viewed if filled', CLASSES, [CLASS], 'x', [{ platform_class_id: 1011 }]],
    ['a column may be one class, viewed on a date', CLASSES, [{ ...CLASS, dates: 'iso' }], '2024-W05-3', [VIEWED]],
    ['a column may be one class, viewed by some words', CLASSES, [{ ...CLASS, viewed: ['Done'] }], 'Not done'],
    [
      'a column may list classes',
      CLASSES,
      { column: 'Value' },
      '1012; 1011@2024-01-31',
      [{ platform_class_id: 1012 }, VIEWED],
    ],
    ['a column may list classes as JSON', CLASSES, { column: 'Value', json: true }, JSON.stringify([VIEWED]), [VIEWED]],
    ['a constant may replace a column', 'content.platform_course_id', { constant: 101 }, '', 101],
  ])('%s', (_, field, source, text, value) => {
    const record = recordOf({ [field]: source }, text);
    const [block = '', member = ''] = field.split('.');
    expect(record).toEqual({
      external_record_id: 'r-1',
      content: { type: 'course' },
      ...(value === undefined ? {} : { [block]: { ...(block === 'content' && { type: 'course' }), [member]: value } }),
    });
  });

  it.each<[name: string, more: Partial<Mapping>, field: Field, text: string, value?: unknown]>([
    ['a text that means nothing leaves the member out', { empty: ['-'] }, PCT, '-'],
    ['a text with a decimal comma is a number', { decimal: ',' }, PCT, '85,5', 85.5],
    ['a date is read by its format', { dates: 'DD/MM/YYYY' }, STARTED, '31/01/2024', '2024-01-31'],
    ['a date that does not exist is sent unchanged', { dates: 'DD/MM/YYYY' }, STARTED, '31/02/2024', '31/02/2024'],
  ])('of the whole mapping: %s', (_, more, field, text, value) => {
    expect(memberOf(recordOf({ [field]: 'Value' }, text, more), field)).toBe(value);
  });

  it('several columns may make an id, which is absent if one of them is empty', () => {
    const record = { external_record_id: { template: '{Email}/{Value}' } };
    expect(recordOf(record, '7')['external_record_id']).toBe('ana@acme.test/7');
    expect(recordOf(record, '')['external_record_id']).toBeUndefined();
  });
});

/** Values of a record that come from more than one column. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { HeaderColumns } from '../../../../bin/importer/engine/ground/columns.ts';
import { compileMapping } from '../../../../bin/importer/engine/apply/compile.ts';
import { type Field, memberOf } from '../../../../bin/importer/engine/ground/fields.ts';
import { Notes } from '../../../../bin/importer/engine/language/notes.ts';
import type { Mapping } from '../../../../bin/importer/engine/language/schema.ts';

function read(record: Mapping['record'], a: string, b: string) {
  const notes = new Notes();
  const mapping = { record: { external_record_id: 'Id', ...record } };
  const { toRecord } = compileMapping(mapping, new HeaderColumns('f.csv', ['Id', 'A', 'B']), { notes });
  const { external_record_id: _, content: __, ...rest } = toRecord(['r-1', a, b]);
  return { record: rest, notes: notes.list().filter(({ kind }) => kind !== 'date_derived') };
}

type Case = [name: string, field: Field, source: Mapping['record'][string], a: string, b: string, value?: unknown];
const PCT = 'progress.completion_pct';
const STATUS = 'assessment.status';
const STARTED = 'progress.started_at';
const CLASSES = 'progress.classes';
const LIST = { column: 'A', separator: '|', values: { Intro: 1011, Survey: null } };
const LISTED = [{ platform_class_id: 1011 }, { platform_class_id: 1012 }];
const ONE = { column: 'A', values: { Intro: 1011 }, viewed_if: { column: 'B', is: ['done'] } };
const BEGINNING = { 'Completed (pass*': 'passed', 'Completed*': 'failed' };
const DAY = '2024-02-01';
const NIGHT = '2024-01-31T23:00:00Z';

describe('ValueReaders', () => {
  it('counts a time without a zone in each row that has it, and none that means never', () => {
    const notes = new Notes();
    const mapping = { record: { external_record_id: 'Id', [STARTED]: 'A' } };
    const { toRecord } = compileMapping(mapping, new HeaderColumns('f.csv', ['Id', 'A']), { notes });
    const times = ['2024-02-01T10:00', '2024-02-01', '1970-01-01T00:00', '2024-02-01T10:00Z', '2024-02-01T10:00'];
    for (const time of times) toRecord(['r-1', time]);
    expect(notes.localTimes).toBe(2);
  });

  it.each<Case>([
    ['the value is the first that is not empty', 'assessment.taken_at', ['A', 'B'], '', DAY, DAY],
    ['otherwise makes no value of an empty cell', PCT, { column: 'A', values: { x: 1 }, otherwise: 100 }, '', ''],
    ['if_empty gives a value for every empty cell', PCT, { column: 'A', if_empty: 0 }, '', '', 0],
    [
      'a pattern names words that begin so',
      STATUS,
      { column: 'A', values: BEGINNING },
      'completed (PASS)',
      '',
      'passed',
    ],
    ['null gives way to the next source', PCT, [{ column: 'A', values: { Y: 100, N: null } }, 'B'], 'N', '40', 40],
    ['the percentage is a share of another column', PCT, { column: 'A', out_of: 'B' }, '10', '29', 34.48],
    ['the percentage is a share of a number', 'assessment.score_pct', { column: 'A', out_of: 20 }, '17', '', 85],
    [
      'the date is the earliest of some dates',
      STARTED,
      { earliest: ['A', 'B'] },
      DAY,
      NIGHT,
      '2024-01-31T23:00:00.000Z',
    ],
    ['classes are listed by name, but for what is no class', CLASSES, LIST, 'intro|Survey|1012', '', LISTED],
    ['a class counts if another column says so', CLASSES, ONE, 'Intro', 'open'],
  ])('%s', (_, field, source, a, b, value) => {
    const { record, notes } = read({ [field]: source }, a, b);
    expect([memberOf(record, field), notes]).toEqual([value, []]);
    expect(Object.keys(record)).toHaveLength(value === undefined ? 0 : 1);
  });

  it('a date may be the latest of its record', () => {
    const latest = { latest: true } as const;
    const attempt = { [STARTED]: 'A', 'assessment.taken_at': 'B', 'progress.last_activity_at': latest };
    expect(read(attempt, DAY, '2024-03-01').record).toEqual({
      progress: { started_at: DAY, last_activity_at: '2024-03-01' },
      assessment: { taken_at: '2024-03-01' },
    });
    expect(read({ [PCT]: 'A', [STARTED]: 'B', 'progress.completed_at': latest }, '100', DAY).record).toEqual({
      progress: { completion_pct: 100, started_at: DAY, completed_at: DAY },
    });
  });

  it('a share of 0 is noted, not invented', () => {
    const { record, notes } = read({ [PCT]: { column: 'A', out_of: 'B' } }, '3', '0');
    expect(record).toEqual({ progress: { completion_pct: '3' } });
    expect(notes).toMatchObject([{ kind: 'not_readable', column: 'A', value: '3' }]);
  });
});

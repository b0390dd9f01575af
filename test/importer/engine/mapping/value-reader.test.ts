/** Values of a record that come from more than one column. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { HeaderColumns } from '../../../../bin/importer/engine/mapping/columns.ts';
import { compileMapping } from '../../../../bin/importer/engine/mapping/compile.ts';
import { Notes } from '../../../../bin/importer/engine/mapping/notes.ts';
import type { Mapping } from '../../../../bin/importer/engine/mapping/schema.ts';

const COLUMNS = ['Id', 'A', 'B'];

function read(record: Mapping['record'], [a, b]: [string, string], more: Partial<Mapping> = {}) {
  const notes = new Notes();
  const mapping = { ...more, record: { external_record_id: 'Id', ...record } };
  const { toRecord } = compileMapping(mapping, new HeaderColumns('f.csv', COLUMNS), { notes });
  const { external_record_id: _, content: __, ...rest } = toRecord(['r-1', a, b]);
  return { record: rest, notes: notes.list() };
}

describe('ValueReaders', () => {
  it.each<[string, Mapping['record'], [string, string], object]>([
    [
      'the value is the first that is not empty',
      { 'assessment.taken_at': ['A', 'B'] },
      ['', '2024-01-02'],
      { assessment: { taken_at: '2024-01-02' } },
    ],
    [
      'otherwise makes no value of an empty cell',
      { 'progress.completion_pct': { column: 'A', values: { x: 1 }, otherwise: 100 } },
      ['', ''],
      {},
    ],
    [
      'if_empty gives a value for every empty cell',
      { 'progress.completion_pct': { column: 'A', if_empty: 0 } },
      ['', ''],
      { progress: { completion_pct: 0 } },
    ],
    [
      'a pattern names the words that begin so',
      { 'assessment.status': { column: 'A', values: { 'Completed (pass*': 'passed', 'Completed*': 'failed' } } },
      ['completed (PASSED by x)', ''],
      { assessment: { status: 'passed' } },
    ],
    [
      'a word that means nothing gives way to the next source',
      { 'progress.completion_pct': [{ column: 'A', values: { Y: 100, N: null } }, 'B'] },
      ['N', '40'],
      { progress: { completion_pct: 40 } },
    ],
    [
      'the percentage is a share of another column',
      { 'progress.completion_pct': { column: 'A', out_of: 'B' } },
      ['10', '29'],
      { progress: { completion_pct: 34.48 } },
    ],
    [
      'the percentage is a share of a number',
      { 'assessment.score_pct': { column: 'A', out_of: 20 } },
      ['17', ''],
      { assessment: { score_pct: 85 } },
    ],
    [
      'the date is the earliest of some dates',
      { 'progress.started_at': { earliest: ['A', 'B'] } },
      ['2024-02-01', '2024-01-31T23:00:00Z'],
      { progress: { started_at: '2024-01-31T23:00:00.000Z' } },
    ],
    [
      'the date is the latest of its record',
      { 'progress.started_at': 'A', 'assessment.taken_at': 'B', 'progress.last_activity_at': { latest: true } },
      ['2024-02-01', '2024-03-01'],
      {
        progress: { started_at: '2024-02-01', last_activity_at: '2024-03-01' },
        assessment: { taken_at: '2024-03-01' },
      },
    ],
    [
      'a completion has its date',
      { 'progress.completion_pct': 'A', 'progress.started_at': 'B', 'progress.completed_at': { latest: true } },
      ['100', '2024-03-01'],
      { progress: { completion_pct: 100, started_at: '2024-03-01', completed_at: '2024-03-01' } },
    ],
    [
      'classes are listed by name, and a name that is no class is left out',
      { 'progress.classes': { column: 'A', separator: '|', values: { Intro: 1011, Survey: null } } },
      ['intro|Survey|1012', ''],
      { progress: { classes: [{ platform_class_id: 1011 }, { platform_class_id: 1012 }] } },
    ],
    [
      'a class counts if another column says so',
      { 'progress.classes': { column: 'A', values: { Intro: 1011 }, viewed_if: { column: 'B', is: ['done'] } } },
      ['Intro', 'open'],
      {},
    ],
  ])('%s', (_, record, cells, expected) => {
    const found = read(record, cells);
    expect(found.record).toEqual(expected);
    expect(found.notes.filter(({ kind }) => kind !== 'date_derived')).toEqual([]);
  });

  it('a share of 0 is noted, not invented', () => {
    const { record, notes } = read({ 'progress.completion_pct': { column: 'A', out_of: 'B' } }, ['3', '0']);
    expect(record).toEqual({ progress: { completion_pct: '3' } });
    expect(notes).toMatchObject([{ kind: 'not_readable', column: 'A', value: '3' }]);
  });
});

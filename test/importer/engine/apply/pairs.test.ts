/** A learner and a course are decided together, in one file and over several. Costs milliseconds. */
import { expect, it } from 'vitest';
import { unsentOf } from '../../../../bin/importer/engine/run/summary.ts';
import type { Mapping } from '../../../../bin/importer/engine/language/schema.ts';
import { leftOutRows, surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { setWith } from '../../command/support/runs.ts';

const HEADER = 'Id,Email,Course,Status,Completed on';
const DONE = '1,a@x.test,A,Completed,2024-01-22';
const EXEMPT = '2,A@x.test ,A,Exempt,2024-01-23';
const OTHERS = ['3,a@x.test,B,Completed,2024-01-24', '4,b@x.test,A,Completed,2024-01-25'];

const MAPPING: Mapping = {
  record: { external_record_id: 'Id', 'user.email': 'Email', 'content.external_course_id': 'Course' },
  kinds: {
    columns: { Status: { read: 'text' }, 'Completed on': { read: 'date' } },
    confirmed: [
      { values: { Status: 'Completed', 'Completed on': 'a date' }, outcome: 'completed', date: 'Completed on' },
      { values: { Status: 'Not started', 'Completed on': 'empty' }, outcome: 'leave_out', reason: 'not started' },
    ],
  },
};

/** The ids that are written of the files, and the lines and reasons of the rows that are not sent. */
async function written(...files: readonly (readonly string[])[]) {
  const named = files.map((rows, at) => new File([[HEADER, ...rows].join('\n')], `${'abc'[at]}.csv`));
  const set = await setWith(MAPPING, ...named);
  const survey = await surveyOf(set);
  const ids: unknown[] = [];
  const unsent: unknown[] = [];
  for await (const chunk of set.chunks()) {
    ids.push(...chunk.records.map((record) => (record as { external_record_id: string }).external_record_id));
    unsent.push(...unsentOf(chunk).map(({ entry, error }) => [entry.row.line, error.error_code, error.said]));
  }
  return { ids, unsent, leftOut: leftOutRows(survey) };
}

const waits = (line: number, place: object) => [line, 'unconfirmed_kind', { code: 'pair_undecided', params: place }];
const isOpen = (line: number) => [line, 'unconfirmed_kind', expect.objectContaining({ code: 'kind_undecided' })];

it('a row waits for an undecided one before it or behind it, which its reason names', async () => {
  const before = await written([EXEMPT, DONE, ...OTHERS]);
  expect(before).toEqual({ ids: ['3', '4'], unsent: [isOpen(2), waits(3, { line: 2 })], leftOut: 0 });
  const behind = await written([DONE, EXEMPT, ...OTHERS]);
  expect(behind).toEqual({ ids: ['3', '4'], unsent: [waits(2, { line: 3 }), isOpen(3)], leftOut: 0 });
});

it('a row waits for one of another file, and for a cell that is no date', async () => {
  const { ids, unsent } = await written([DONE, ...OTHERS], ['5,a@x.test,A,Completed,soon']);
  expect([ids, unsent]).toEqual([
    ['3', '4'],
    [waits(2, { line: 2, file: 'b.csv' }), isOpen(2)],
  ]);
});

it('a row waits for none that a person left out, and for none without a course', async () => {
  const { ids, leftOut } = await written([DONE, '5,a@x.test,A,Not started,', '6,a@x.test,,Exempt,2024-01-23']);
  expect([ids, leftOut]).toEqual([['1'], 1]);
});

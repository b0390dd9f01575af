/** Corrections of a mapping by a person. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { assigned, meaningsIn, withDates, withMeanings } from '../../bin/importer/page/worker/edit-mapping.ts';
import { checkedMapping, type Mapping } from '../../bin/importer/engine/mapping/schema.ts';

const MAPPING: Mapping = {
  record: {
    external_record_id: { template: '{Mail}/{Course}' },
    'user.email': 'Mail',
    'content.external_course_id': 'Course',
    'progress.completion_pct': { column: 'Status', values: { Completed: 100, Enrolled: 0, Started: 0 } },
    'progress.completed_at': [{ column: 'Done', dates: 'D/M/YYYY' }, { latest: true }],
  },
};
const WORDS = ['Completed', 'Enrolled', 'Started', 'Waived'];

const valid = (mapping: unknown): Mapping => checkedMapping('of the test', mapping);

describe('assigned', () => {
  it('assigned: another column as the address → the former one is not used, and the record id follows', () => {
    const { record } = valid(assigned(MAPPING, { reference: 'Work mail', dateFormats: [] }, 'user.email'));
    expect(record).toMatchObject({
      'user.email': 'Work mail',
      external_record_id: { template: '{Work mail}/{Course}' },
    });
  });

  it('assigned: a date → its format, and the rule for records without one stays', () => {
    const { record } = valid(
      assigned(MAPPING, { reference: 'End', dateFormats: ['D.M.YYYY'] }, 'progress.completed_at'),
    );
    expect(record['progress.completed_at']).toEqual([{ column: 'End', dates: 'D.M.YYYY' }, { latest: true }]);
  });

  it('assigned: a column as nothing → its member is left to the rules', () => {
    const { record } = valid(assigned(MAPPING, { reference: 'Done', dateFormats: [] }, undefined));
    expect(record['progress.completed_at']).toEqual({ latest: true });
  });
});

describe('words', () => {
  it('meaningsIn: each word that the mapping names has a meaning, and no other one', () => {
    expect(meaningsIn(MAPPING, 'Status', WORDS)).toEqual({
      Completed: 'done',
      Enrolled: 'not started',
      Started: 'in progress',
    });
  });

  it('withMeanings: passed and failed → the result of the exam; a failed exam is no completion', () => {
    const meanings = { Completed: 'passed', Enrolled: 'failed', Started: 'in progress', Waived: 'leave out' } as const;
    const mapping = valid(withMeanings(MAPPING, 'Status', meanings));
    expect(mapping.skip).toEqual([{ column: 'Status', is: ['Waived'] }]);
    expect(mapping.record).toMatchObject({
      'progress.completion_pct': { values: { Completed: null, Enrolled: 0, Started: 0, Waived: null } },
      'assessment.status': { values: { Completed: 'passed', Enrolled: 'failed', Started: null, Waived: null } },
    });
    expect(meaningsIn(mapping, 'Status', WORDS)).toEqual(meanings);
  });
});

it('withDates: another format → in every date that the column gives', () => {
  const { record } = valid(withDates(MAPPING, 'Done', 'M/D/YYYY'));
  expect(record['progress.completed_at']).toEqual([{ column: 'Done', dates: 'M/D/YYYY' }, { latest: true }]);
});

/** What is stored of records, by their place and by their content. Costs milliseconds. */
import { expect, it } from 'vitest';
import { contentId, storedIn } from '../../functions/records/versions.ts';
import { contributed, record, stored } from './fixtures.ts';

const PAIR = { user_id: 7, platform_course_id: 101 };
const other = (import_id: string) => contributed(record({ progress: { completion_pct: 60 } }), { import_id });
const contributions = [contributed(record()), other('later'), contributed(record(), { import_id: 'latest' })];
const HISTORY = stored({ contributions });

it('storedIn: the contribution of this record of this import → true, of another record or learner → false', () => {
  const isStored = storedIn(new Map([['7/101', HISTORY]]));
  const contribution = { import_id: 'later', index: 0 };
  expect(isStored({ ...PAIR, contribution })).toBe(true);
  expect(isStored({ ...PAIR, contribution: { ...contribution, index: 1 } })).toBe(false);
  expect(isStored({ ...PAIR, user_id: 8, contribution })).toBe(false);
});

it('contentId: another id of the record → another content', () => {
  const renamed = { ...contributed(record()), external_record_id: 'r-2' };
  expect(contentId({ ...PAIR, contribution: renamed })).not.toBe(
    contentId({ ...PAIR, contribution: contributed(record()) }),
  );
});

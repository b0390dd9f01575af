/** Which rejected records are kept, and the names that lead to them. Costs milliseconds. */
import { expect, it } from 'vitest';
import { archivedIn, archivedNames, positionsByName } from '../../functions/records/archived.ts';
import { RECORD_ERRORS, codesOf, isArchivable, type RecordErrorCode } from '../../functions/shared/codes.ts';
import type { PlannedRecord } from '../../functions/shared/model.ts';

const problems = (...codes: RecordErrorCode[]) => codes.map((error_code) => ({ error_code, message: '' }));

it('a record is kept for these reasons, and for no other', () => {
  const kept = codesOf(RECORD_ERRORS).filter((code) => isArchivable(problems(code)));
  expect(kept.toSorted()).toEqual([
    'course_not_in_catalog',
    'external_course_id_not_mapped',
    'external_user_id_not_mapped',
    'user_inactive',
    'user_not_found',
  ]);
});

it('a record that has another problem, too, is not kept, nor one without a problem', () => {
  expect(isArchivable(problems('user_not_found', 'course_not_in_catalog'))).toBe(true);
  expect(isArchivable(problems('user_not_found', 'invalid_date_format'))).toBe(false);
  expect(isArchivable([])).toBe(false);
});

const result = { status: 'error', outcome: null, warnings: [], progress: null, external_record_id: 'a' } as const;
const rejected = (index: number, archived?: true): PlannedRecord => ({
  result: { ...result, index, errors: problems('user_not_found'), ...(archived && { archived }) },
});
const of = (email: string, external_user_id?: unknown) => ({ user: { email, external_user_id } });

it('of a plan, the records that its results say are archived, by their position in the import', () => {
  const plan = { records: ['a', 'b'], planned: [rejected(125), rejected(126, true)] };
  expect(archivedIn(plan)).toEqual({ 126: { record: 'b', errors: problems('user_not_found') } });
});

it('two spellings of a name are one name, and a name that is sent twice is one', () => {
  expect(archivedNames(of('Ann@acme.test', 9101))).toEqual(['ann@acme.test', '9101']);
  for (const spelled of ['<ANN@acme.test>', 'mailto:ann@acme.test.', 'ann%40acme.test@', 'a\u200Bnn@acme.test'])
    expect(archivedNames(of(spelled))).toEqual(['ann@acme.test']);
  expect(archivedNames(of('ann@acme.test', ' Ann@acme.test'))).toEqual(['ann@acme.test']);
  expect(archivedNames(of('joann@acme.test'))).toEqual(['joann@acme.test']);
  expect(archivedNames('no record')).toEqual([]);
});

it('each name leads to the positions of its records', () => {
  const archived = { 3: of('ann@acme.test', 'A-1'), 5: of('ben@acme.test', 'a-1'), 8: of('ANN@acme.test') };
  const kept = Object.fromEntries(Object.entries(archived).map(([at, record]) => [at, { record, errors: [] }]));
  expect(Object.fromEntries(positionsByName(kept))).toEqual({
    'ann@acme.test': [3, 8],
    'a-1': [3, 5],
    'ben@acme.test': [5],
  });
});

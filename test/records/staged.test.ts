/** Records of a chunk before their plan, and after the summary of their chunk. Costs milliseconds. */
import { expect, it } from 'vitest';
import { IMPORT_CANCELLED, overridden, pendingResult } from '../../functions/records/result.ts';
import { decidedAsStaged, emptyChunk, pendingIn, rejectedChunk } from '../../functions/records/staged.ts';

const raw = (external_record_id: string) => ({ external_record_id });
const CHUNK = {
  first_index: 10,
  records: [raw('a'), raw('a'), raw('b'), null],
  duplicates: [11],
  oversized: [12],
  erased: [13],
};
const codes = (index: number) =>
  decidedAsStaged(CHUNK, CHUNK.records[index - 10], index)?.result.errors.map(({ error_code }) => error_code);

it('decidedAsStaged: a repeat, a record that is too large or whose person was erased → rejected; any other → undefined', () => {
  expect([10, 11, 12, 13].map(codes)).toEqual([
    undefined,
    ['duplicate_external_record_id'],
    ['invalid_record'],
    ['user_not_found'],
  ]);
  expect(decidedAsStaged(CHUNK, raw('b'), 12)?.result.external_record_id).toBe('b');
});

it('rejectedChunk: rejects every record for the same reason, but leaves erased ones erased', () => {
  const { planned } = rejectedChunk(CHUNK, IMPORT_CANCELLED);
  expect(planned.map(({ result }) => [result.index, result.errors[0]?.error_code, result.erased])).toEqual([
    [10, 'import_cancelled', undefined],
    [11, 'import_cancelled', undefined],
    [12, 'import_cancelled', undefined],
    [13, 'user_not_found', true],
  ]);
});

it('pendingIn: a record → its id and `pending`; one whose person was erased says so', () => {
  expect(pendingIn(CHUNK, 2)).toEqual(pendingResult(raw('b'), 12));
  expect(pendingIn(CHUNK, 3)).toEqual({ ...pendingResult(null, 13), erased: true });
  expect(pendingIn(emptyChunk({ first_index: 5, size: 2, payload_hash: 'h' }), 1)).toEqual(pendingResult(null, 6));
});

it('overridden: a lost claim or an abandoned record → its error; an erased record stays as it is', () => {
  const result = { ...pendingResult(raw('a'), 10), status: 'success' as const };
  const summary = { succeeded: 0, failed: 1, with_warnings: 0, conflict: [], failed_indexes: [] };
  const code = (change: object, of: object = {}) =>
    overridden({ ...result, ...of }, { ...summary, ...change }).errors[0]?.error_code;
  expect(overridden(result, summary)).toBe(result);
  expect(code({ conflict: [[10, 7, 101]] })).toBe('duplicate_external_record_id');
  expect(code({ failed_indexes: [10] })).toBe('processing_failed');
  expect(code({ failed_indexes: [10] }, { erased: true })).toBeUndefined();
  expect(code({ failed_indexes: [10] }, { status: 'error' })).toBeUndefined();
});

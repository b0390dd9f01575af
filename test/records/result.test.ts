/** Results of records, and the counts of a chunk of them. Costs milliseconds. */
import { expect, it } from 'vitest';
import {
  conflictResult,
  errorResult,
  pendingResult,
  successResult,
  summarise,
} from '../../functions/records/result.ts';
import type { RecordResult } from '../../functions/shared/model.ts';
import { NATIVE } from './fixtures.ts';

const PAIR = { user_id: 7, platform_course_id: 101 };
const warning = { warning_code: 'duplicate_class_id' as const, message: 'twice' };
const applied = (index: number, warned = false): RecordResult =>
  successResult({ index, external_record_id: `r-${index}` }, 'applied', warned ? [warning] : [], PAIR, NATIVE);
const rejected = (index: number) =>
  errorResult({ index, external_record_id: null }, [{ error_code: 'invalid_record', message: 'bad' }]);

it('a summary counts results as overridden, each record once', () => {
  const results = [applied(4, true), applied(5, true), applied(6), rejected(7), applied(8)];
  expect(summarise({ planned: results.map((result) => ({ result })) }, [[5, 7, 101]], [6, 7])).toEqual({
    succeeded: 2,
    failed: 3,
    with_warnings: 1,
    conflict: [[5, 7, 101]],
    failed_indexes: [6, 7],
  });
});

it('a lost claim names the pair that holds the id and has no other member', () => {
  const result = conflictResult(applied(3, true), { user_id: 88, platform_course_id: 999 });
  expect(result).toMatchObject({
    index: 3,
    external_record_id: 'r-3',
    status: 'error',
    outcome: null,
    warnings: [],
    progress: null,
  });
  expect(result.errors).toMatchObject([{ error_code: 'duplicate_external_record_id', field: 'external_record_id' }]);
  expect(result.errors[0]?.message).toMatch(/88.*999/);
});

it('a pending result has the id and the members known already', () => {
  expect(pendingResult({ external_record_id: 'x' }, 4)).toEqual({
    index: 4,
    external_record_id: 'x',
    status: 'pending',
    outcome: null,
    errors: [],
    warnings: [],
    progress: null,
  });
  expect(pendingResult(undefined, 0).external_record_id).toBeNull();
});

it('a success shows the effective progress, its classes as a count', () => {
  const { classes, ...members } = NATIVE;
  expect(classes).toHaveLength(1);
  expect(applied(0).progress).toEqual({ ...PAIR, ...members, classes_viewed: 1 });
});

import { expect, it } from 'vitest';
import { countsOf, terminalStatus } from '../../functions/imports/lifecycle.ts';

it.each([
  ['success where all were applied', { total: 2, succeeded: 2 }, 'success'],
  ['partial_success where some were', { total: 2, succeeded: 1 }, 'partial_success'],
  ['error where none were', { total: 2, succeeded: 0 }, 'error'],
])('%s', (_reason, { total, succeeded }, status) => {
  expect(terminalStatus({ total, processed: total, succeeded, failed: total - succeeded, with_warnings: 2 })).toBe(
    status,
  );
});

it('a poll counts the chunks that are summarised', () => {
  const summary = { succeeded: 3, failed: 1, with_warnings: 2, conflict: [], failed_indexes: [] };
  expect(countsOf({ total: 9, summaries: { 0: summary, 2: summary } })).toEqual({
    total: 9,
    processed: 8,
    succeeded: 6,
    failed: 2,
    with_warnings: 4,
  });
});

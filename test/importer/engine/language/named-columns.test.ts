/** Tables whose columns have the names of the interface. Costs milliseconds. */
import { expect, it } from 'vitest';
import { mappingOfOwnColumns } from '../../../../bin/importer/engine/language/named-columns.ts';

it('mappingOfOwnColumns: names of the interface → each column is its own member, classes are JSON, others are left out', () => {
  expect(mappingOfOwnColumns(['external_record_id', 'user.email', 'progress.classes', 'Note'])).toEqual({
    record: {
      external_record_id: 'external_record_id',
      'user.email': 'user.email',
      'progress.classes': { column: 'progress.classes', json: true },
    },
  });
});

it('mappingOfOwnColumns: no record id → no mapping', () => {
  expect(mappingOfOwnColumns(['user.email', 'progress.completion_pct'])).toBeUndefined();
});

import { isField } from './fields.ts';
import type { Mapping } from './schema.ts';

/** The mapping of a table whose columns have the names of the interface; `undefined` if it has no such record id. */
export function mappingOfOwnColumns(columns: readonly string[]): Mapping | undefined {
  const own = columns.filter(isField);
  if (!own.includes('external_record_id')) return undefined;
  return {
    record: Object.fromEntries(
      own.map((name) => [name, name === 'progress.classes' ? { column: name, json: true } : name]),
    ),
  };
}

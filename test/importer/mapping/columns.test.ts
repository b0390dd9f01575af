/** Columns by the names that a mapping uses. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { HeaderColumns } from '../../../bin/importer/mapping/columns.ts';

const COLUMNS = ['Id', 'Email', 'Course', 'Value', 'Other'];

describe('HeaderColumns', () => {
  it('a mapping that names a column the file lacks is refused, with the one that may be meant', () => {
    expect(() => new HeaderColumns('history.csv', COLUMNS).indexOf('E-Mail', 'user.email')).toThrow(
      'history.csv, line 1: there is no column "E-Mail", which the mapping names for user.email. Did you mean "Email"?',
    );
  });

  it('a mapping that names a column which occurs twice is refused', () => {
    expect(() => new HeaderColumns('history.csv', ['Id', 'x', 'Id']).indexOf('Id', 'external_record_id')).toThrow(
      'columns 1 and 3',
    );
  });
});

/** Columns by the names that a mapping uses. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { columnFinder, HeaderColumns } from '../../../../bin/importer/engine/ground/columns.ts';

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

describe('columnFinder', () => {
  it('columns are found in a wide table without a search through it for each of them', () => {
    const names = Array.from({ length: 16_384 }, (_, index) => `Column ${index}`);
    let reads = 0;
    const counted = new Proxy(names, {
      get(target, member, receiver) {
        if (typeof member === 'string' && /^\d+$/.test(member)) reads += 1;
        return Reflect.get(target, member, receiver) as unknown;
      },
    });
    const indexOf = columnFinder(counted);
    expect(names.map((name) => indexOf(name.toUpperCase()))).toEqual(names.map((_, index) => index));
    expect(reads).toBeLessThanOrEqual(2 * names.length);
  });

  it('a column without a header is found by its number', () => {
    const indexOf = columnFinder([...Array<string>(12_000).fill(''), 'Last']);
    expect([indexOf('#12000'), indexOf('last'), indexOf('#12002')]).toEqual([11_999, 12_000, -1]);
  });
});

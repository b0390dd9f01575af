/** Columns by the names that a mapping uses. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { columnFinder, HeaderColumns } from '../../../../bin/importer/engine/ground/columns.ts';

/** The values of a refusal; `undefined` if nothing is refused. */
function refusalOf(read: () => unknown): unknown {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error.said.params;
    throw error;
  }
}

const COLUMNS = ['Id', 'Email', 'Course', 'Value', 'Other'];

describe('HeaderColumns', () => {
  it('a mapping that names a column the file lacks is refused, with the one that may be meant', () => {
    expect(refusalOf(() => new HeaderColumns('history.csv', COLUMNS).indexOf('E-Mail', 'user.email'))).toMatchObject({
      path: 'history.csv',
      line: 1,
      problem: { code: 'column_missing', params: { column: 'E-Mail', wantedBy: 'user.email', similar: 'Email' } },
    });
  });

  it('a mapping that names a column which occurs twice is refused', () => {
    const columns = new HeaderColumns('history.csv', ['Id', 'x', 'Id']);
    expect(refusalOf(() => columns.indexOf('Id', 'external_record_id'))).toMatchObject({
      problem: { code: 'column_twice', params: { column: 'Id', first: 1, last: 3 } },
    });
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

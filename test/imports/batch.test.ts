import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, duplicatesIn } from '../../functions/imports/batch.ts';
import { externalRecordIdOf } from '../../functions/records/identifiers.ts';
import { jsonBytes } from '../../functions/records/json.ts';

const withId = (external_record_id: unknown) => ({ external_record_id });

describe('duplicates are judged over the whole batch', () => {
  it('each later occurrence repeats the first, whatever else is wrong with it', () => {
    expect(duplicatesIn([withId('a'), withId('b'), { ...withId('a'), user: 5 }, withId('a')])).toEqual([2, 3]);
  });

  it('unusable ids are not compared', () => {
    const unusable = [
      withId(''),
      withId(''),
      withId(5),
      withId(5),
      withId(null),
      withId(null),
      {},
      {},
      null,
      null,
      'a',
      'a',
      [],
      [],
    ];
    expect(duplicatesIn(unusable)).toEqual([]);
  });

  it('ids differ by case, blanks and normalisation', () => {
    expect(duplicatesIn(['a', 'A', 'a ', 'é', 'e\u0301'].map(withId))).toEqual([]);
  });

  it('an id named like a member of every object is an id like any other', () => {
    expect(duplicatesIn(['__proto__', 'constructor', '__proto__'].map(withId))).toEqual([2]);
  });
});

it.each([
  ['a string of 1 to 128 characters', { external_record_id: 'r-1' }, 'r-1'],
  ['a number is none', { external_record_id: 1 }, null],
  ['a lone surrogate makes it none', { external_record_id: '\udc00' }, null],
  ['no object has none', 'r-1', null],
  ['null has none', null, null],
])('external_record_id: %s', (_reason, raw, id) => {
  expect(externalRecordIdOf(raw)).toBe(id);
});

describe('chunks', () => {
  it('are cut by count', () => {
    const chunks = chunksOf([1, 2, 3, 4, 5], { records: 2, bytes: 1000 });
    expect(chunks).toEqual([
      { first_index: 0, records: [1, 2] },
      { first_index: 2, records: [3, 4] },
      { first_index: 4, records: [5] },
    ]);
  });

  it('are cut by bytes, not characters', () => {
    expect(chunksOf(['😀😀', '😀😀'], { records: 9, bytes: 22 }).map(({ records }) => records.length)).toEqual([1, 1]);
  });

  it('a record larger than a chunk stands alone', () => {
    const sizes = chunksOf(['a', 'x'.repeat(50), 'b', 'c'], { records: 9, bytes: 20 }).map(
      ({ records }) => records.length,
    );
    expect(sizes).toEqual([1, 1, 2]);
  });

  it('hold every record once, in order, within their limits', () => {
    const limits = { records: 7, bytes: 60 };
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }), (records) => {
        const chunks = chunksOf(records, limits);
        expect(chunks.flatMap((chunk) => chunk.records)).toEqual(records);
        let next = 0;
        for (const chunk of chunks) {
          expect(chunk.first_index).toBe(next);
          expect(chunk.records.length).toBeLessThanOrEqual(limits.records);
          expect(chunk.records.length === 1 || jsonBytes(chunk.records) <= limits.bytes).toBe(true);
          next += chunk.records.length;
        }
      }),
    );
  });
});

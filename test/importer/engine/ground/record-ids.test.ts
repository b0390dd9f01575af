/** The numbers of the texts of whole files. Costs under a second. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecordIdSet, TextNumbers } from '../../../../bin/importer/engine/ground/record-ids.ts';

it('a text has the same number wherever it occurs, and each new one the next', () => {
  const texts = fc.array(fc.option(fc.string({ maxLength: 2 }), { nil: undefined }), { maxLength: 2000 });
  fc.assert(
    fc.property(texts, (some) => {
      const numbers = new TextNumbers();
      const known = new Map<unknown, number>();
      for (const text of some) {
        // Without a text, a number that no other has.
        const key = text ?? Symbol('none');
        known.set(key, known.get(key) ?? known.size);
        expect(numbers.of(text)).toBe(known.get(key));
      }
    }),
    { numRuns: 30 },
  );
});

it('every one of 100,000 texts is found again', () => {
  const numbers = new TextNumbers();
  const pass = (): number[] => Array.from({ length: 100_000 }, (_, i) => numbers.of(`enrolment-${i}`));
  const first = pass();
  expect(first.map((_number, i) => numbers.known(`enrolment-${i}`))).toEqual(first);
  expect(numbers.known('another')).toBeUndefined();
  expect(pass()).toEqual(first);
  expect(numbers.of('another')).toBe(100_000);
});

it('a repeated id is traced to the file and the line of the first one, in whichever file it is', () => {
  const ids = new RecordIdSet();
  const added = [
    ids.add('x', { file: 'a.csv', line: 2 }),
    ids.add('y', { file: 'a.csv', line: 3 }),
    ids.add('y', { file: 'b.csv', line: 2 }),
    ids.add('z', { file: 'b.csv', line: 3 }),
    ids.add('x', { file: 'c.csv', line: 2 }),
    ids.add('z', { file: 'c.csv', line: 9 }),
  ];
  expect(['z', 'none'].map((id) => ids.placeOf(id))).toEqual([{ file: 'b.csv', line: 3 }, undefined]);
  expect(added).toEqual([
    undefined,
    undefined,
    { file: 'a.csv', line: 3 },
    undefined,
    { file: 'a.csv', line: 2 },
    { file: 'b.csv', line: 3 },
  ]);
});

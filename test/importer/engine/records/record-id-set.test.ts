/** The first place of an id. Costs milliseconds. */
import { expect, it } from 'vitest';
import { RecordIdSet } from '../../../../bin/importer/engine/records/record-id-set.ts';

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
  expect(added).toEqual([
    undefined,
    undefined,
    { file: 'a.csv', line: 3 },
    undefined,
    { file: 'a.csv', line: 2 },
    { file: 'b.csv', line: 3 },
  ]);
});

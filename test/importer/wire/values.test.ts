import { expect, it } from 'vitest';
import { groupedBy } from '../../../bin/importer/wire/values.ts';

it('items of one key are together, in their order, and so are the keys', () => {
  const groups = groupedBy(['b1', 'a1', 'b2', 'a2'], ([key = '']) => key);
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
  ]);
});

import { expect, it } from 'vitest';
import { each, mapped, piecewise } from '../../../../bin/importer/engine/read/pieces.ts';
import { collected } from '../../command/support/files.ts';

async function* pieces() {
  yield [1, 2, 3];
  yield [];
  yield [4, 5];
}

it('mapped, piecewise: items in order, without those of which nothing is made, however they are cut into pieces', async () => {
  expect(await collected(each(mapped(pieces(), (n) => (n === 2 ? undefined : n * 10))))).toEqual([10, 30, 40, 50]);
  const twice = piecewise(pieces(), function* two(items) {
    for (const item of items) yield* [item, item];
  });
  expect(await collected(each(twice))).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
});

it('mapped: an error comes after the items before it, of the same piece too', async () => {
  const taken: number[] = [];
  const failing = mapped(pieces(), (n) => {
    if (n === 3) throw new Error('third');
    return n;
  });
  const all = (async () => {
    for await (const n of each(failing)) taken.push(n);
  })();
  await expect(all).rejects.toThrow('third');
  expect(taken).toEqual([1, 2]);
});

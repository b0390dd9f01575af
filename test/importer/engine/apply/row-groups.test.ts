/** Rows of one record far apart in a file, more of them than are kept in memory. Costs under a second. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinedInGroups, memoryRowSpool } from '../../../../bin/importer/engine/apply/row-groups.ts';
import { TextNumbers } from '../../../../bin/importer/engine/ground/record-ids.ts';
import { collected } from '../../command/support/files.ts';

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const joinedTexts = (names: readonly string[], most: number): Promise<{ name: string; rows: number[] }[]> => {
  const numbers = new TextNumbers();
  const rows = names.map((name, number) => ({ group: numbers.of(name), name, number }));
  return collected(
    joinedInGroups(
      each(rows),
      (known: { name: string; rows: number[] } | undefined, { name, number }) => ({
        name,
        rows: [...(known?.rows ?? []), number],
      }),
      memoryRowSpool(),
      most,
    ),
  );
};

it('groups are the same, and in the order of their first rows, however few fit into memory', async () => {
  const names = fc.array(fc.string({ maxLength: 2 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 1, max: 5 }), async (some, most) => {
      const wanted = [...Map.groupBy(some.entries(), ([, name]) => name)].map(([name, rows]) => ({
        name,
        rows: rows.map(([number]) => number),
      }));
      expect(await joinedTexts(some, most)).toEqual(wanted);
    }),
  );
});

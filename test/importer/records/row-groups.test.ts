/** Rows of one record far apart in a file, more of them than are kept in memory. Costs under a second. */
import * as fc from 'fast-check';
import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { joinedInGroups } from '../../../bin/importer/records/row-groups.ts';
import { TextNumbers } from '../../../bin/importer/records/text-numbers.ts';
import { collected, freshFolder } from '../../cli/support/files.ts';

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

it('nothing stays in the folder of temporary files, also where reading stops early', async () => {
  const folder = freshFolder();
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const rows = Array.from({ length: 30 }, (_, group) => ({ group }));
    for await (const { group } of joinedInGroups(each(rows), (_: { group: number } | undefined, row) => row, 10)) {
      if (group < 10) continue;
      expect(readdirSync(folder)).toHaveLength(1);
      break;
    }
    expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

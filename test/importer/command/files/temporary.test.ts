/** Rows that wait in temporary files. Costs milliseconds. */
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryRows } from '../../../../bin/importer/command/files/temporary.ts';
import { joinedInGroups } from '../../../../bin/importer/engine/apply/row-groups.ts';
import { collected, freshFolder } from '../support/files.ts';

const before = process.env['TMPDIR'];
let folder: string;

beforeEach(() => {
  folder = freshFolder();
  process.env['TMPDIR'] = folder;
});

afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
});

async function* rowsOf(count: number) {
  for (let group = 0; group < count; group += 1) yield { group, text: 'Zoë\n' };
}
const first = (known: { group: number; text: string } | undefined, row: { group: number; text: string }) =>
  known ?? row;

it('the rows are read as they were written', async () => {
  const groups = await collected(joinedInGroups(rowsOf(30), first, temporaryRows(), 10));
  expect(groups).toEqual(await collected(rowsOf(30)));
});

it('no file stays in the temporary folder, also if reading stops early', async () => {
  for await (const { group } of joinedInGroups(rowsOf(30), first, temporaryRows(), 10)) {
    if (group < 10) continue;
    expect(readdirSync(folder)).toHaveLength(1);
    break;
  }
  expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
});

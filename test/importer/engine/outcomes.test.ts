/**
 * What is found of every export of the tests is frozen in outcomes.txt: a change of an outcome is seen in its difference.
 * `OUTCOMES=renew` writes the file anew: look at each line that changed. Costs two seconds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outcomesOf, TABLES } from './outcomes-of.ts';

const FILE = join(import.meta.dirname, 'outcomes.txt');

if (process.env['OUTCOMES'] === 'renew') {
  const blocks: string[] = [];
  for (const table of TABLES) blocks.push(`=== ${table.name}\n${await outcomesOf(table)}\n`);
  writeFileSync(FILE, blocks.join('\n'));
}

const frozen = new Map(
  readFileSync(FILE, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((block) => [block.slice(0, block.indexOf('\n')), block.slice(block.indexOf('\n') + 1).trimEnd()]),
);

it('of every export the outcomes are frozen, and of no other', () => {
  expect([...frozen.keys()]).toEqual(TABLES.map(({ name }) => name));
});

it.each(TABLES)('$name', async (table) => {
  expect(await outcomesOf(table)).toBe(frozen.get(table.name));
});

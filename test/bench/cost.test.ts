/** What docs/costs.md says, against the committed figures. Costs milliseconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import figures from './figures.json' with { type: 'json' };

const LINES = readFileSync(join(import.meta.dirname, '../../docs/costs.md'), 'utf8');
const PAGE = LINES.replaceAll(/\s+/g, ' ');
const saidOf = (pattern: RegExp): number => Number(pattern.exec(PAGE)?.[1]);
/** The numbers in the last cell of the row that begins so. */
const shownIn = (row: string): string[] =>
  LINES.split('\n')
    .find((line) => line.startsWith(`| ${row}`))
    ?.split('|')
    .at(-2)
    ?.match(/\d[\d,]*(\.\d+)?/g)
    ?.map((text) => text.replaceAll(',', '')) ?? [];

it('docs/costs.md: a dry run and the recommended workflow → what the figures add up to', () => {
  const dryRun = saidOf(/a dry run of the same records before it costs ([\d.]+)/);
  const allIn = saidOf(/\*\*all in\*\* \| \| \*\*([\d.]+)\*\*/);
  expect(dryRun).toBeCloseTo(figures['dollars per million records of a dry run, without computing'], 2);
  expect(saidOf(/\*\*The recommended workflow is ([\d.]+)\*\*/)).toBeCloseTo(allIn + dryRun, 2);
});

it.each<[row: string, names: readonly (keyof typeof figures)[]]>([
  ['write units per accepted record', ['distinct: write units per record']],
  ['read units per record, 500', ['distinct: read units per record', 'shared: read units per record']],
  ['write units per record sent again', ['sent again: write units per record']],
  ['write units / read units per record rev', ['revert: write units per record', 'revert: read units per record']],
  [
    '500 records of one learner course',
    [
      'deep pair: AWS calls of a dry revert',
      'deep pair: read units of a dry revert',
      'deep pair: AWS calls of a dry run',
      'deep pair: read units of a dry run',
    ],
  ],
  [
    'the real revert of the same',
    [
      'deep pair: AWS calls of a revert',
      'deep pair: read units of a revert',
      'deep pair: write units of a revert',
      'deep pair: virtual ms of a revert',
    ],
  ],
  ['write units per record of a dry run', ['dry run: write units per record']],
  ['AWS calls of an import', ['distinct: AWS calls']],
  ['sequential depth', ['distinct: depth of POST', 'distinct: depth of a chunk']],
  ['a poll', ['distinct: calls of a poll', 'distinct: read units of a poll', 'distinct: answer bytes of a poll']],
  ['row without', ['distinct: learner-course row bytes', '100 classes: learner-course row bytes']],
])('docs/costs.md: the row "%s" → its figures, rounded', (row, names) => {
  const shown = shownIn(row).slice(0, names.length);
  const rounded = names.map((name, at) => figures[name].toFixed(shown[at]?.split('.')[1]?.length ?? 0));
  expect(shown).toEqual(rounded);
});

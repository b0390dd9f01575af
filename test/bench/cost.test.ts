/** What docs/costs.md says of the recommended workflow, against the committed figures. Costs milliseconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import figures from './figures.json' with { type: 'json' };

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/costs.md'), 'utf8').replaceAll(/\s+/g, ' ');
const saidOf = (pattern: RegExp): number => Number(pattern.exec(PAGE)?.[1]);

it('docs/costs.md: a dry run and the recommended workflow → what the figures add up to', () => {
  const dryRun = saidOf(/a dry run of the same records before it costs ([\d.]+)/);
  const allIn = saidOf(/\*\*all in\*\* \| \| \*\*([\d.]+)\*\*/);
  expect(dryRun).toBeCloseTo(figures['dollars per million records of a dry run, without computing'], 2);
  expect(saidOf(/\*\*The recommended workflow is ([\d.]+)\*\*/)).toBeCloseTo(allIn + dryRun, 2);
});

/** The quota table of docs/limits.md, counted in the templates. Costs a second. */
import { expect, it } from 'vitest';
import { limitsDocument } from './quotas.ts';

it('docs/limits.md shows what each stage uses of every quota, and how many companies fit: node test/lib/quotas.ts --write', () => {
  const { written, counted } = limitsDocument();
  expect(written).toContain('| quota | default ');
  expect(written).toBe(counted);
});

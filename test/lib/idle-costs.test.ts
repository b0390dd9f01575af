/** The idle price of a stack in docs/costs.md, computed from the templates. Costs a second. */
import { expect, it } from 'vitest';
import { templateOf } from '../kit/template.ts';
import { costsDocument, withoutLine } from './idle-costs.ts';

it('docs/costs.md shows what each stage costs in a month without use, line by line: node test/lib/idle-costs.ts --write', () => {
  const { written, counted } = costsDocument();
  expect(written).toContain('| idle, a month ');
  expect(written).toBe(counted);
});

it.each(['production', 'sandbox'] as const)('nothing else in a %s stack has a price while it is idle', (stage) => {
  expect(withoutLine(templateOf({ company: 'acme', stage }))).toEqual([]);
});

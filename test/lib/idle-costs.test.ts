/** The idle price of a stack in docs/costs.md, computed from the templates. Costs seconds. */
import { expect, it } from 'vitest';
import {
  accountDollars,
  costsDocument,
  idleDollars,
  signalDollars,
  templateOfKind,
  withoutLine,
} from './idle-costs.ts';

it('docs/costs.md shows the monthly cost of each stage without use, line by line: npm run figures -- --write', () => {
  const { written, counted } = costsDocument();
  expect(written).toContain('| idle, a month ');
  expect(written).toBe(counted);
});

it.each(['production', 'sandbox'] as const)('nothing else in a %s stack has a price while it is idle', (stage) => {
  for (const kind of [stage, `${stage} beside an account stack`] as const)
    expect(withoutLine(templateOfKind(kind))).toEqual([]);
});

it('docs/costs.md has the price of each setting for signals', () => {
  const { written } = costsDocument();
  for (const [setting, dollars] of Object.entries(signalDollars()))
    expect(written).toContain(`| \`${setting}\` | ${dollars.toFixed(2)} |`);
});

it('an idle sandbox costs 1.50 a month at most, a production stack with its canary 3.60, alone or beside an account stack', () => {
  for (const [kind, dollars] of Object.entries(idleDollars()))
    expect(dollars).toBeLessThanOrEqual(kind.includes('sandbox') ? 1.5 : 3.6);
  expect((idleDollars()['idle dollars a month: production'] ?? 0) - signalDollars().canary).toBeLessThanOrEqual(2.6);
  expect(accountDollars()).toBeLessThanOrEqual(4);
});

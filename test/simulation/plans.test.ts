/**
 * The application of plans in the crash simulator: random schedules, an erasure beside it, and broken variants that it must catch.
 * Costs seconds; `npm run test:long` tries more of each, `npm run test:crash -- --only plans` most.
 */
import { describe, expect, it } from 'vitest';
import { AT_LENGTH, cases, FIRST_SEED, someOf } from '../kit/at-length.ts';
import { PLAN_VARIANTS } from './plan-variants.ts';
import { planSchedules } from './plan-schedules.ts';
import { simulate } from './run.ts';
import { RANDOM } from './runner/kinds.ts';

const LONG = { timeout: 600_000 };

it('each dry run of a plan is one import, in their order, and only what was planned is stored', LONG, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(100, 4); seed += 1) {
    const { violations } = await simulate(RANDOM.plans(seed));
    expect({ seed, violations }).toEqual({ seed, violations: [] });
  }
});

it.runIf(AT_LENGTH)('nothing is left of a person who is erased meanwhile, whatever dies or stalls', LONG, async () => {
  for await (const { suffered, violations } of planSchedules())
    expect({ suffered, violations }).toEqual({ suffered, violations: [] });
});

describe('a broken application', () => {
  // Only a driver that stalls beside an erasure shows it.
  const RARELY = /gate/;
  const random = Object.entries(PLAN_VARIANTS).filter(([name]) => !RARELY.test(name));
  it.each(someOf(random, 3))('is caught: %s', LONG, async (_, variant) => {
    // Most show in a few schedules, one after 136.
    for (let seed = 0; seed < 400; seed += 1)
      if ((await simulate(RANDOM.plans(seed, variant))).violations.length > 0) return;
    expect.fail('nothing is violated');
  });

  const rare = Object.entries(PLAN_VARIANTS).filter(([name]) => RARELY.test(name));
  it.runIf(AT_LENGTH).each(rare)('is caught beside an erasure: %s', LONG, async (_, variant) => {
    for await (const { violations } of planSchedules(variant)) if (violations.length > 0) return;
    expect.fail('nothing is violated');
  });
});

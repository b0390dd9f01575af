/**
 * Runs that are read while their imports come, in the crash simulator: random schedules, and broken variants that it must catch.
 * Costs seconds; `npm run test:long` tries more, `npm run test:crash -- --only runs` most.
 */
import { expect, it } from 'vitest';
import { cases, FIRST_SEED } from '../kit/at-length.ts';
import { lateImports } from './run-schedules.ts';
import { RUN_VARIANTS } from './run-variants.ts';
import { simulate } from './run.ts';
import { RANDOM } from './runner/kinds.ts';

const LONG = { timeout: 600_000 };

it('the counts of a run are those of its imports, whoever read it before', LONG, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(200, 10); seed += 1) {
    const { violations } = await simulate(RANDOM.runs(seed));
    expect({ seed, violations }).toEqual({ seed, violations: [] });
  }
});

it('an import and a plan that come to a run at rest are counted, whatever dies or stalls', LONG, async () => {
  for await (const { suffered, violations } of lateImports({}, cases(1, 8)))
    expect({ suffered, violations }).toEqual({ suffered, violations: [] });
});

it.each(Object.entries(RUN_VARIANTS))('wrong counts are caught: %s', LONG, async (_, variant) => {
  // Two variants show in these at once.
  for (const seed of [1, 20]) if ((await simulate(RANDOM.runs(seed, variant))).violations.length > 0) return;
  for await (const { violations } of lateImports(variant)) if (violations.length > 0) return;
  expect.fail('nothing is violated');
});

/**
 * The service against an independent implementation of the rules: results, order of delivery, the join. Costs a few
 * seconds; `npm run test:long` imports 1,000 histories, and tries 100,000 triples.
 */
import { expect, it } from 'vitest';
import { FIRST_SEED, cases } from '../kit/at-length.ts';
import { wrongInCorrections } from './corrections.ts';
import { brokenTriples } from './join-laws.ts';
import { compareBatch } from './laws.ts';

it(
  'a dry run, the real run and the reference return the same results, and the batch sent again is unchanged',
  { timeout: 60_000 },
  async () => {
    for (let seed = 0; seed < cases(400, 4); seed += 1) {
      expect({ seed, disagreements: await compareBatch(seed) }).toEqual({ seed, disagreements: [] });
    }
  },
);

it(
  'corrections and reverts leave what the imports that are left say, in the order of acceptance',
  { timeout: 600_000 },
  async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(1_000, 8); seed += 1)
      expect({ seed, wrong: await wrongInCorrections(seed) }).toEqual({ seed, wrong: [] });
  },
);

it('the join is associative, commutative and idempotent, and equals the join of the reference', () => {
  expect(brokenTriples(FIRST_SEED, cases(100_000, 500))).toBe(0);
});

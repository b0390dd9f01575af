/**
 * The service against an independent implementation of the rules: results, and the join. Costs a second;
 * `npm run test:long` tries more. The crash simulator compares corrections and reverts with it (`last-word.ts`).
 */
import { expect, it } from 'vitest';
import { FIRST_SEED, cases } from '../kit/at-length.ts';
import { brokenHistories, brokenTriples } from './join-laws.ts';
import { compareBatch } from './laws.ts';

it('a dry run, the real run and the reference return the same results, and the batch sent again is unchanged', async () => {
  for (let seed = 0; seed < cases(400, 4); seed += 1) {
    expect({ seed, disagreements: await compareBatch(seed) }).toEqual({ seed, disagreements: [] });
  }
});

it('the join is associative, commutative and idempotent, and equals the join of the reference', () => {
  expect(brokenTriples(FIRST_SEED, cases(20_000, 500))).toBe(0);
});

it('the versions of a record, and what replaced each, are those of the definition', () => {
  expect(brokenHistories(FIRST_SEED, 20_000)).toBe(0);
});

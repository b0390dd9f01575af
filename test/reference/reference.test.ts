/**
 * The service against an independent implementation of the rules: results, order of delivery, the join. Costs a few seconds;
 * `npm run test:crash` tries 100,000 records in 6,500 batches, and 100,000 triples.
 */
import { expect, it } from 'vitest';
import { brokenTriples } from './join-laws.ts';
import { compareBatch, orderMatters } from './laws.ts';

it(
  'a dry run, the real run and the reference return the same results, and the batch sent again is unchanged',
  { timeout: 60_000 },
  async () => {
    for (let seed = 0; seed < 150; seed += 1) {
      expect({ seed, disagreements: (await compareBatch(seed)).disagreements }).toEqual({ seed, disagreements: [] });
    }
  },
);

it('the progress depends neither on the order of records nor on that of deliveries', { timeout: 60_000 }, async () => {
  for (let seed = 0; seed < 60; seed += 1)
    expect({ seed, shows: await orderMatters(seed) }).toEqual({ seed, shows: false });
});

it('the join is associative, commutative and idempotent, and equals the join of the reference', () => {
  expect(brokenTriples(1, 2_000)).toBe(0);
});

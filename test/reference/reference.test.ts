/**
 * The service against an independent implementation of the rules: results, order of delivery, the join. Costs a few
 * seconds; `npm run test:long` imports 1,000 histories of each kind, `npm run test:crash` tries 100,000 records and
 * triples.
 */
import { expect, it } from 'vitest';
import { FIRST_SEED, cases } from '../kit/at-length.ts';
import { wrongInCorrections } from './corrections.ts';
import { importHistories, renewals, splitClasses, type HistoryMaker } from './histories.ts';
import { brokenTriples } from './join-laws.ts';
import { compareBatch, orderMatters } from './laws.ts';
import { COURSES } from './random-records.ts';

const EXAMS = COURSES.filter(({ has_exam }) => has_exam);

it(
  'a dry run, the real run and the reference return the same results, and the batch sent again is unchanged',
  { timeout: 60_000 },
  async () => {
    for (let seed = 0; seed < cases(400, 4); seed += 1) {
      expect({ seed, disagreements: (await compareBatch(seed)).disagreements }).toEqual({ seed, disagreements: [] });
    }
  },
);

it('the progress depends neither on the order of records nor on that of deliveries', { timeout: 60_000 }, async () => {
  for (let seed = 0; seed < cases(150, 3); seed += 1)
    expect({ seed, shows: await orderMatters(seed) }).toEqual({ seed, shows: false });
});

it(
  'corrections and reverts leave what the imports that are left say, in the order of acceptance',
  { timeout: 600_000 },
  async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(1_000, 8); seed += 1)
      expect({ seed, wrong: await wrongInCorrections(seed) }).toEqual({ seed, wrong: [] });
  },
);

it('the join is associative, commutative and idempotent, and equals the join of the reference', () => {
  expect(brokenTriples(1, cases(2_000, 500))).toBe(0);
});

/** A company has 54 histories. */
const COMPANIES = cases(19, 1);

async function wrongHistories(make: HistoryMaker, courses: typeof COURSES): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + COMPANIES; seed += 1)
    wrong.push(...(await importHistories(seed, make, courses)).map((each) => ({ seed, ...each })));
  return wrong;
}

it('renewals in any order and imports show the latest completion and certificate', { timeout: 120_000 }, async () => {
  expect(await wrongHistories(renewals, EXAMS)).toEqual([]);
});

it(
  'classes split over records, imports and organic progress give the percentage of the whole',
  { timeout: 120_000 },
  async () => {
    expect(await wrongHistories(splitClasses, COURSES)).toEqual([]);
  },
);

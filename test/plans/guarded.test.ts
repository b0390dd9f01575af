/**
 * What an import of a plan writes, beside an independent implementation: random histories in which other imports replace and are
 * reverted, courses change, and mappings, addresses and licenses move. Costs three seconds, `AT_LENGTH=1` a minute;
 * `HISTORIES=50000 npx vitest run test/plans/guarded.test.ts` twenty.
 */
import { describe, expect, it } from 'vitest';
import { FIRST_SEED, cases } from '../kit/at-length.ts';
import { History } from './history.ts';

const HISTORIES = Number(process.env['HISTORIES'] ?? cases(2_500, 150));
/** 50,000 take 72 minutes on a machine that is busy. */
const LONGEST_MS = 4 * 3_600_000;
const tally: Record<string, number> = {};

it('each record has the result of the rule, and nothing else is stored', { timeout: LONGEST_MS }, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
    const history = new History(seed);
    await history.play();
    expect(history.disagreements, `seed ${seed}`).toEqual([]);
    for (const code of history.codes) tally[code] = (tally[code] ?? 0) + 1;
  }
});

describe('these histories', () => {
  it.each(['applied', 'updated', 'unchanged', 'plan_changed', 'user_inactive', 'duplicate_external_record_id'])(
    'have a record that is %s',
    (code) => expect(tally[code]).toBeGreaterThan(0),
  );
});

/**
 * A short run of the crash simulator: random schedules, every single fault of one import, and broken variants that it
 * must catch. Costs a few seconds; `npm run test:long` tries more of each, `npm run test:crash` is the whole run.
 */
import { describe, expect, it } from 'vitest';
import { CORRECTION_VARIANTS } from './correction-variants.ts';
import { overtakingSchedules } from './overtaking-schedules.ts';
import { abandonedSchedules } from './abandoned-schedules.ts';
import { erasureSchedules } from './erasure-schedules.ts';
import { ERASURE_VARIANTS } from './erasure-variants.ts';
import { erasureWorkload } from './erasure-workload.ts';
import { plansPutFirst, revertSchedules, secondRequests } from './revert-schedules.ts';
import { REVERT_VARIANTS } from './revert-variants.ts';
import type { Effect } from './services.ts';
import type { Variant } from './stack.ts';
import { KEEPS_ABANDONED_IDS, VARIANTS } from './variants.ts';
import { replay, shrunk, simulate, type RunResult } from './run.ts';
import { FULL_ITEM, loneImport, mappedWorkload, randomWorkload, revertWorkload, tinyWorkload } from './workload.ts';
import { everyFault, randomFaults, scripted, staleReads, throttling } from './faults.ts';
import { AT_LENGTH, cases, FIRST_SEED } from '../kit/at-length.ts';
import { Dice } from '../kit/dice.ts';

const seeds = (whole: number, share: number): number[] =>
  Array.from({ length: cases(whole, share) }, (_, at) => FIRST_SEED + at);
const run = (seed: number) => simulate({ seed, workload: randomWorkload(seed), faults: randomFaults(seed, 10, 80) });

describe('the service under faults', () => {
  it('the service keeps every invariant in random schedules of up to ten faults', { timeout: 120_000 }, async () => {
    for (const seed of seeds(100, 3))
      expect({ seed, violations: (await run(seed)).violations }).toEqual({ seed, violations: [] });
  });

  it.each([
    ['one import', loneImport],
    ['two that race for a new item beside a full one', tinyWorkload(FULL_ITEM)],
  ])('the service keeps every invariant if a single fault hits %s', { timeout: 120_000 }, async (_, workload) => {
    const clean = await simulate({ seed: 1, workload, faults: scripted([]) });
    const faults = clean.steps.flatMap(everyFault);
    for (const fault of faults.filter((_, at) => AT_LENGTH || at % 60 === 0)) {
      const { violations } = await simulate({ seed: 1, workload, faults: scripted([fault]) });
      expect({ fault, violations }).toEqual({ fault, violations: [] });
    }
  });

  it('the table after reverts equals one without the reverted imports', { timeout: 120_000 }, async () => {
    for (const seed of seeds(50, 1)) {
      const faults = randomFaults(seed, 10, 200);
      const { violations } = await simulate({ seed, workload: revertWorkload(seed, 5), faults });
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  });

  it('an erasure leaves nothing of a person, and everything of others as it was', { timeout: 120_000 }, async () => {
    for (const seed of seeds(100, 2)) {
      const faults = randomFaults(seed, 10, 300);
      const { violations } = await simulate({ seed, workload: erasureWorkload(seed), faults });
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  });

  it.runIf(AT_LENGTH)(
    'a person is erased even if an invocation stalls for which the erasure waits',
    { timeout: 120_000 },
    async () => {
      for await (const { suffered, violations } of erasureSchedules())
        expect({ suffered, violations }).toEqual({ suffered, violations: [] });
    },
  );

  it('an import finds every mapping that was registered before it, even if reads are stale', async () => {
    for (const seed of seeds(50, 2)) {
      for (const faults of [staleReads, randomFaults(seed, 10, 80)]) {
        const { violations } = await simulate({ seed, workload: mappedWorkload(seed), faults });
        expect({ seed, violations }).toEqual({ seed, violations: [] });
      }
    }
  });

  it('an import ends within two minutes if its function dies before it sends a message', async () => {
    for (const seed of seeds(20, 2)) {
      const faults = scripted([{ step: 4, kind: 'kill before', amount: 0 }]);
      const { terminalMs, suffered } = await simulate({ seed, workload: loneImport, faults });
      expect(suffered).toHaveLength(1);
      expect(terminalMs[0]).toBeLessThanOrEqual(120_000);
    }
  });

  it.each([
    ['for a moment', 1, 1],
    ['for five deliveries in a row', 5, 1],
    ['for forty in a row', 40, 1],
    ['now and then for a long while', 60, 0.3],
  ])(
    'an import ends within 45 s after its last throttle, without a dead letter: throttled %s',
    async (_, count, share) => {
      for (const seed of seeds(20, 2)) {
        const faults = throttling('process', count, new Dice(seed, 5), share);
        const { violations, trace, terminalMs } = await simulate({ seed, workload: loneImport, faults, record: true });
        expect({ seed, violations }).toEqual({ seed, violations: [] });
        const [lastThrottle = '0'] = trace.filter((line) => line.endsWith('throttled')).slice(-1);
        expect(terminalMs[0]).toBeLessThan(Number.parseInt(lastThrottle, 10) + 45_000);
      }
    },
  );

  it('the watchdog abandons an import within 26 hours if the queue never delivers its chunks', async () => {
    const { terminalMs, abandoned } = await simulate({
      seed: 1,
      workload: { ...loneImport, delivers: 0 },
      faults: scripted([]),
    });
    expect(abandoned).toBe(1);
    expect(terminalMs[0]).toBeLessThan(26 * 3_600_000);
  });

  it.each([
    ['frees', {}, true],
    ['has to free', KEEPS_ABANDONED_IDS, false],
  ])('the watchdog %s the ids that an invocation claimed before it died', async (_, variant, isRight) => {
    const all: string[] = [];
    for await (const { violations } of abandonedSchedules(variant)) all.push(...violations);
    expect(all.every((text) => text.endsWith('is bound by nothing'))).toBe(true);
    expect(all.length === 0).toBe(isRight);
  });

  it('the watchdog abandons no import that waits behind twenty hours of backlog', async () => {
    for (const seed of seeds(20, 2)) {
      const workload = { ...loneImport, backlogMs: 20 * 3_600_000 };
      expect((await simulate({ seed, workload, faults: scripted([]) })).abandoned).toBe(0);
    }
  });
});

describe('the simulator', () => {
  it('the simulator replays a seed exactly', async () => {
    const [once, again] = [await run(7), await run(7)];
    expect(again.traceHash).toBe(once.traceHash);
  });

  it('the simulator replays the listed faults of a seed exactly', async () => {
    const random = await run(11);
    const written = await replay(11, false, random.suffered);
    expect(written.traceHash).toBe(random.traceHash);
  });

  it('the simulator shows what a transaction does to each of its items', async () => {
    const written: { readonly command: object; readonly table: string }[] = [];
    const onEffect = ({ command, key, before, after }: Effect) => {
      if (before !== after) written.push({ command, table: key.pk.split('#')[1] ?? '' });
    };
    await simulate({ seed: 0, workload: erasureWorkload(0), faults: scripted([]), variant: { onEffect } });
    const stored = written.find(({ table }) => table === 'erasure');
    const together = written.filter(({ command }) => command === stored?.command).map(({ table }) => table);
    expect(together).toEqual(expect.arrayContaining(['erasure', 'fact', 'user']));
  });

  it.runIf(AT_LENGTH)(
    'the simulator reduces a failing run to the faults that it needs',
    { timeout: 60_000 },
    async () => {
      const variant = VARIANTS['no watchdog'] ?? {};
      for (let seed = 0; ; seed += 1) {
        const faults = randomFaults(seed, 10, 80);
        const { violations, suffered } = await simulate({ seed, workload: randomWorkload(seed), faults, variant });
        if (violations.length === 0 || suffered.length < 3) continue;
        const failure = { seed, tiny: false, faults: suffered, violation: violations[0] ?? '' };
        const { faults: needed, result } = await shrunk(failure, variant);
        expect(result.violations).not.toEqual([]);
        expect(needed.length).toBeLessThan(suffered.length);
        for (const fault of needed) {
          const fewer = needed.filter((other) => other !== fault);
          expect((await replay(seed, false, fewer, variant)).violations).toEqual([]);
        }
        return;
      }
    },
  );

  // These are caught soon; of the others, FIRST_SEED selects a third at length.
  const isFreeing = (name: string) => /freed|half/.test(name);
  const isSelected = (at: number) => AT_LENGTH && (at + FIRST_SEED) % 3 === 0;
  const reverting = Object.entries(REVERT_VARIANTS).filter(([name], at) => isFreeing(name) || isSelected(at));
  it.each(reverting)('a broken revert is caught: %s', { timeout: 120_000 }, async (_, variant) => {
    expect(await isCaught(variant)).toBe(true);
  });

  it.each(Object.entries(CORRECTION_VARIANTS))('a broken correction is caught: %s', async (_, variant) => {
    let caught = (await firstViolations(overtakingSchedules(variant))).length;
    for (let seed = 0; seed < 20 && caught === 0; seed += 1) {
      const faults = randomFaults(seed, 10, 200);
      caught += (await simulate({ seed, workload: revertWorkload(seed, 5), faults, variant })).violations.length;
    }
    expect(caught).toBeGreaterThan(0);
  });

  it('no order of processing decides what replaces', async () => {
    for await (const { suffered, violations } of overtakingSchedules())
      expect({ suffered, violations }).toEqual({ suffered, violations: [] });
  });

  it.runIf(AT_LENGTH).each([
    [
      'a request beside a revert of the run covers what was made since',
      secondRequests,
      'a second request of a run adds nothing',
    ],
    [
      'a plan that another delivery put first has no effect at the closed gate',
      plansPutFirst,
      'a plan that another delivery put first is carried out at the closed gate',
    ],
  ])('%s, whatever dies', async (_, schedules, broken) => {
    expect(await firstViolations(schedules())).toEqual([]);
    expect(await firstViolations(schedules(REVERT_VARIANTS[broken]))).not.toEqual([]);
  });

  // No random schedule meets these soon: they are tried at length.
  const RARELY = /waited|gate|once|before/;
  const erasing = Object.entries(ERASURE_VARIANTS);
  it.each(AT_LENGTH ? erasing : erasing.filter(([name]) => !RARELY.test(name)))(
    'an erasure in which %s is caught',
    { timeout: 120_000 },
    async (_, variant) => {
      expect(await isErasureCaught(variant)).toBe(true);
    },
  );
});

/** Whether a few random schedules catch it, or those in which an erasure must wait. */
async function isErasureCaught(variant: Variant): Promise<boolean> {
  for (let seed = 0; seed < 20; seed += 1) {
    const faults = randomFaults(seed, 10, 300);
    const { violations } = await simulate({ seed, workload: erasureWorkload(seed), faults, variant });
    if (violations.length > 0) return true;
  }
  return (await firstViolations(erasureSchedules(variant))).length > 0;
}

async function firstViolations(runs: AsyncIterable<RunResult>): Promise<readonly string[]> {
  for await (const { violations } of runs) if (violations.length > 0) return violations;
  return [];
}

/** Whether random schedules catch it, or those in which a revert must wait. */
async function isCaught(variant: Variant): Promise<boolean> {
  for (let seed = 0; seed < 60; seed += 1) {
    const faults = randomFaults(seed, 10, 200);
    const { violations } = await simulate({ seed, workload: revertWorkload(seed, 5), faults, variant });
    if (violations.length > 0) return true;
  }
  for (const schedules of [revertSchedules, plansPutFirst, secondRequests])
    if ((await firstViolations(schedules(variant))).length > 0) return true;
  const stale = { seed: SEED_OF_A_STALE_PLAN, faults: randomFaults(SEED_OF_A_STALE_PLAN, 10, 200) };
  const workload = revertWorkload(SEED_OF_A_STALE_PLAN, 5);
  return (await simulate({ ...stale, workload, variant })).violations.length > 0;
}

/** A schedule in which a plan is applied after a revert that it does not know of. */
const SEED_OF_A_STALE_PLAN = 123;

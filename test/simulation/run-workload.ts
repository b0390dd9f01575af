/** Runs that are read while their imports come, some of them minutes after the others, or of a plan; all from a seed. */
import { Dice } from '../kit/dice.ts';
import { planWorkload } from './plan-workload.ts';
import type { PlannedImport, Workload } from './workload.ts';

const MINUTE = 60_000;
/** More than five minutes after all that came before, a run is at rest. */
const WHILES = [0, 50, 1_000, 6 * MINUTE, 7 * MINUTE, 12 * MINUTE];

const sent = { racing: 1, replaysMs: [], dry_run: false, run_id: 'run' };
const recordOf = (external_record_id: string, email: string) => ({
  external_record_id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
});
const ofRun = { changes: [], chunkRecords: 1, settledPairs: true } as const;

export function runWorkload(seed: number): Workload {
  const dice = new Dice(seed, 91);
  const workload = dice.oneIn(4) ? planWorkload(seed) : importsOfRun(dice);
  const run_id = workload.plans?.applied[0]?.run_id ?? sent.run_id;
  const reads = Array.from({ length: dice.between(3, 8) }, () => {
    const after = [...WHILES, 5 * MINUTE, 10 * MINUTE];
    return [dice.pick(after) + dice.below(dice.pick([300, 3_000, 90_000])), run_id] as const;
  });
  return { ...workload, reads };
}

function importsOfRun(dice: Dice): Workload {
  const imports = Array.from({ length: dice.between(2, 4) }, (_, at) => importOfRun(dice, at));
  return { ...ofRun, imports, backlogMs: dice.pick([0, 0, 20_000]) };
}

function importOfRun(dice: Dice, at: number): PlannedImport {
  const dry_run = dice.oneIn(10);
  return {
    ...sent,
    atMs: dice.pick(WHILES) + dice.below(2_000),
    dry_run,
    key: `key-${at}`,
    racing: dice.pick([1, 1, 2]),
    replaysMs: dice.oneIn(4) ? [dice.pick([300, 6 * MINUTE])] : [],
    records: Array.from({ length: dice.between(1, 2) }, (_, index) =>
      recordOf(`r-${at}-${index}`, dice.pick(['ann@acme.test', 'bob@acme.test', 'nobody@acme.test'])),
    ),
    ...(dice.oneIn(6) && { cancelsMs: [dice.pick([50, 1_000])] }),
    ...(!dry_run && dice.oneIn(6) && { revertsMs: [dice.pick([3_000, 6 * MINUTE])] }),
  };
}

/** A run that is read at rest, before another import of it, and before a plan of it is applied. */
export const LATE_IMPORTS: Workload = {
  ...ofRun,
  backlogMs: 0,
  imports: [
    { ...sent, atMs: 0, key: 'first', records: [recordOf('r-1', 'ann@acme.test')] },
    { ...sent, atMs: 500, key: 'dry', dry_run: true, records: [recordOf('r-2', 'bob@acme.test')] },
    // Nobody sends it again.
    { ...sent, atMs: 7 * MINUTE, records: [recordOf('r-3', 'ann@acme.test')] },
  ],
  plans: {
    isAlone: false,
    applied: [{ plan_id: 'p000000000000', run_id: sent.run_id, keys: ['dry'], atMs: 14 * MINUTE }],
  },
  reads: [6 * MINUTE, 7 * MINUTE + 5_000, 13 * MINUTE, 15 * MINUTE].map((ms) => [ms, sent.run_id] as const),
};

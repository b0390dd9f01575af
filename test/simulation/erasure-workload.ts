/** Imports that name a person in every spelling, and the erasure of that person; all from a seed. */
import { ANN, EXTERNAL, FORMER, UNREGISTERED } from '../erasure/person.ts';
import { Dice } from '../kit/dice.ts';
import type { PlannedImport, Workload } from './workload.ts';

const MINUTE = 60_000;

export function erasureWorkload(seed: number): Workload {
  const dice = new Dice(seed, 6);
  const erasesMs = dice.pick([500, 3_000, 20_000, 3 * MINUTE]);
  const isReverted = dice.chance(0.3);
  const imports = Array.from({ length: dice.between(1, 4) }, (_, at) => {
    const atMs = at === 0 || dice.chance(0.7) ? before(dice, erasesMs) : dice.below(erasesMs + 4 * MINUTE);
    return planned(dice, { at, atMs, isReverted, learners: atMs < erasesMs ? ANYBODY : OTHERS });
  });
  return {
    imports,
    changes: [],
    chunkRecords: dice.pick([1, 2, 3]),
    backlogMs: dice.pick([0, 0, 20_000, 2 * MINUTE]),
    settledPairs: false,
    erasure: {
      atMs: erasesMs,
      ...(dice.chance(0.25) && { deletedMs: before(dice, erasesMs) }),
      beside: dice.chance(0.5) ? [[before(dice, erasesMs), dice.pick(['progress', 'mapping'] as const)]] : [],
    },
  };
}

const before = (dice: Dice, atMs: number): number =>
  Math.max(0, atMs - dice.pick([5, 200, 1_000, 10_000, 25_000, 2 * MINUTE]));

/** Moments around an erasure: while it waits, while it erases, and once it is done. */
const LATER_MS = [100, 1_000, 20_000, MINUTE, 2 * MINUTE, 3 * MINUTE, 5 * MINUTE];

const OTHERS = ['ann', 'bob'] as const;
/** After the erasure no client names the person: an import accepted then is a different case. */
const ANYBODY = ['planted', 'planted', ...OTHERS] as const;

interface Choice {
  readonly at: number;
  readonly atMs: number;
  readonly isReverted: boolean;
  readonly learners: readonly string[];
}

function planned(dice: Dice, { at, atMs, isReverted, learners }: Choice): PlannedImport {
  const dry_run = dice.oneIn(4);
  return {
    atMs,
    dry_run,
    key: `key-${at}`,
    racing: dice.oneIn(6) ? 2 : 1,
    replaysMs: dice.oneIn(4) ? [dice.pick(LATER_MS)] : [],
    records: Array.from({ length: dice.between(1, 6) }, () => recordOf(dice, dice.pick(learners), at)),
    ...(dice.oneIn(4) && { cancelsMs: [dice.pick(LATER_MS)] }),
    ...(isReverted && !dry_run && dice.oneIn(2) && { revertsMs: [dice.pick(LATER_MS)] }),
  };
}

function recordOf(dice: Dice, who: string, at: number): unknown {
  if (dice.oneIn(25)) return who === 'planted' ? `a text about ${ANN}.` : 'a text';
  return {
    external_record_id: dice.pick([`rec-${who}-${dice.below(4)}`, `rec-${who}-in-${at}`, 'shared']),
    user: who === 'planted' ? personOf(dice) : otherOf(dice, who),
    content: {
      type: 'course',
      platform_course_id: dice.pick([101, 101, 102, 999]),
      ...(dice.chance(0.5) && { external_ref: `ref-${who}` }),
    },
    progress: { completion_pct: dice.pick<unknown>([10, 50, 50, 100, 'x', 101]) },
    ...(dice.oneIn(3) && { [`note-${who}`]: who }),
  };
}

const spelled = (dice: Dice, address: string) =>
  Array.from(address, (letter) => (dice.chance(0.3) ? letter.toUpperCase() : letter)).join('');

function otherOf(dice: Dice, who: string): unknown {
  const email = `${who}@acme.test`;
  return dice.pick<unknown>([
    { email },
    { email: spelled(dice, email) },
    who === 'bob' ? { external_user_id: '9002' } : { email },
  ]);
}

function personOf(dice: Dice): unknown {
  const email = spelled(dice, ANN);
  return dice.pick<unknown>([
    { email },
    { email },
    { external_user_id: EXTERNAL },
    { email, external_user_id: EXTERNAL },
    { email, external_user_id: UNREGISTERED },
    { external_user_id: UNREGISTERED },
    { email: ` ${email}` },
    { email: `mailto:${email}` },
    { email: FORMER },
    { email: email.replace('@', dice.pick(['%40', ' @ ', '\u200b@'])) },
    { email: [email] },
    email,
  ]);
}

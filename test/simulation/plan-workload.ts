/** Dry runs, plans of them, their application and its cancel, among other imports and an erasure; all from a seed. */
import { ANN } from '../erasure/person.ts';
import { Dice } from '../kit/dice.ts';
import { newPlanId } from '../../functions/plans/plan-item.ts';
import type { PlannedApplication, PlannedErasure, PlannedImport, Workload } from './workload.ts';
import { changeCourse, growNatively, mapUser, type WorldChange } from './world.ts';

const MINUTE = 60_000;
const RUN = 'planned';
const ERASES_MS = 10_000;
/** Around an erasure: before its fence, in it, while reports are visited, and after it. */
export const AROUND_MS = [-2_000, -500, -100, 0, 1_000, 30_000, 64_000, 70_000, 85_000, 95_000, 110_000];

interface Choice {
  readonly dice: Dice;
  /** Nothing but the plan and organic progress changes. */
  readonly isAlone: boolean;
  readonly replace: boolean;
  readonly erasure: PlannedErasure | undefined;
}

export function planWorkload(seed: number): Workload {
  const dice = new Dice(seed, 21);
  const isErasing = dice.chance(0.3);
  const isAlone = !isErasing && dice.chance(0.5);
  const erasure = isErasing ? { atMs: ERASES_MS, beside: [] } : undefined;
  const choice = { dice, isAlone, replace: dice.oneIn(2), erasure };
  const dryRuns = Array.from({ length: dice.pick([2, 3, 5, 10]) }, (_, at) => dryRun(choice, at));
  const plans = plansOf(choice, dryRuns);
  return {
    imports: [...dryRuns, ...others(choice)],
    changes: isErasing ? [] : changes(choice),
    chunkRecords: dice.pick([1, 2, 3]),
    backlogMs: dice.pick([0, 0, 0, 20_000]),
    settledPairs: false,
    plans: isErasing ? plans : ruled(new Dice(seed, 23), plans),
    ...(erasure && { erasure }),
  };
}

type Plans = NonNullable<Workload['plans']>;

/** Some plans meet what rules about them: the setting, a quota, an expiry, a newer plan. */
function ruled(dice: Dice, plans: Plans): Plans {
  const rule = dice.pick([undefined, undefined, ...Object.values(RULES)]);
  return rule === undefined ? plans : rule(dice, plans);
}

const changed = (plans: Plans, change: (planned: PlannedApplication) => Partial<PlannedApplication>): Plans => ({
  ...plans,
  applied: plans.applied.map((planned) => ({ ...planned, ...change(planned) })),
});

/** From before the first import on. */
const ALWAYS = -Infinity;

const RULES: Readonly<Record<string, (dice: Dice, plans: Plans) => Plans>> = {
  approval: (dice, plans) => ({
    ...changed(plans, () => ({ approves: { ms: dice.pick([10, 100, 5_000, 30_000]), user_id: dice.pick([1, 2, 2]) } })),
    settings: dice.pick([
      [[ALWAYS, 'second']],
      [[ERASES_MS + 50, 'second']],
      [
        [ALWAYS, 'second'],
        [60_000, 'none'],
      ],
      [
        [20_000, 'second'],
        [80_000, 'none'],
      ],
    ] as const),
  }),

  quota: (dice, plans) => ({ ...plans, quota: (plans.applied[0]?.keys.length ?? 0) + dice.between(1, 4) }),

  expiry(dice, plans) {
    const expiresMs = dice.pick([5_000, 20_000]);
    return changed(plans, () => ({ expiresMs, appliesMs: expiresMs + dice.pick([-3_000, -60, 1, 60, 3_000]) }));
  },

  'gone report'(dice, plans) {
    const [{ atMs, keys } = { atMs: 0, keys: [] }] = plans.applied;
    const goneMs = atMs + MINUTE + dice.pick([-1_000, 50, 150, 300, 1_000]);
    return { ...changed(plans, () => ({ appliesMs: MINUTE })), gone: [goneMs, dice.pick(keys)] };
  },

  'newer plan': (dice, plans) =>
    changed(plans, () => ({ appliesMs: dice.pick([20, 100]), newerMs: dice.pick([20, 60, 150, 500, 2_000]) })),
};

/** What was cancelled, or was applied already, is applied by a second plan of the same dry runs. */
function plansOf({ dice, isAlone, replace, erasure }: Choice, dryRuns: readonly PlannedImport[]) {
  const atMs = ERASES_MS + (erasure === undefined ? 0 : dice.pick(AROUND_MS));
  const keys = dryRuns.map(({ key = '' }) => key);
  const first = { plan_id: newPlanId(dice), run_id: RUN, keys, atMs };
  const again = { ...first, plan_id: newPlanId(dice), atMs: atMs + dice.pick([MINUTE, 10 * MINUTE]) };
  if (dice.chance(0.3)) {
    const cancelled = { ...first, cancelsMs: dice.pick([50, 300, 1_000, 3_000, MINUTE]) };
    return { isAlone: isAlone && !replace, applied: [cancelled, again] };
  }
  return dice.oneIn(4) ? { isAlone: isAlone && !replace, applied: [first, again] } : { isAlone, applied: [first] };
}

function dryRun(choice: Choice, at: number): PlannedImport {
  const records = batch(choice);
  return {
    ...sent(records, choice.dice.below(2_000)),
    key: `dry-${at}`,
    dry_run: true,
    run_id: RUN,
    replace: choice.replace,
  };
}

const sent = (records: readonly unknown[], atMs: number) => ({ atMs, records, racing: 1, replaysMs: [] });

/** Imports before the dry runs, which they meet; and, unless the plan is alone, beside its application. */
function others(choice: Choice): PlannedImport[] {
  const { dice, isAlone } = choice;
  const moments = isAlone ? [] : [8_500, 9_000, 12_000, 70_000];
  return Array.from({ length: isAlone ? 0 : dice.below(3) }, (_, at) => ({
    ...sent(batch({ ...choice, erasure: undefined }), dice.pick([0, ...moments])),
    key: `other-${at}`,
    dry_run: false,
    replace: dice.oneIn(2),
    ...(choice.erasure === undefined && dice.oneIn(3) && { revertsMs: [dice.pick([5_000, 20_000, 90_000])] }),
  }));
}

function changes({ dice, isAlone }: Choice): Workload['changes'] {
  const any: readonly WorldChange[] = isAlone
    ? [growNatively(1, 101, 70, []), growNatively(2, 101, 30, [1001])]
    : [changeCourse(101, true, dice.between(1, 3)), mapUser('9001', 2), growNatively(1, 101, 70, [])];
  return Array.from(
    { length: dice.below(3) },
    () => [dice.pick([7_000, 8_100, 9_000, 30_000]), dice.pick(any)] as const,
  );
}

function batch({ dice, erasure }: Choice): unknown[] {
  return Array.from({ length: dice.between(1, 4) }, () => record(dice, erasure !== undefined && dice.oneIn(2)));
}

function record(dice: Dice, isOfPerson: boolean): unknown {
  const id = dice.between(1, 4);
  const isRejected = dice.oneIn(8);
  const others = id % 2 === 1 ? { email: 'ann@acme.test' } : { external_user_id: '9001' };
  const user = isRejected ? { email: 'nobody@acme.test' } : others;
  return {
    external_record_id: isOfPerson ? `rec-planted-${id}` : `r-${id}`,
    user: isOfPerson ? { email: ANN } : user,
    content: { type: 'course', platform_course_id: 101 },
    progress: dice.pick([
      { completion_pct: dice.pick([50, 80, 100]) },
      { classes: [{ platform_class_id: 1001 }] },
      { completion_pct: 100, completed_at: '2024-001' },
    ]),
  };
}

/** A plan that is applied so long after its person's erasure was sent, if not before it. */
export const meetingErasure = (afterMs: number): Workload => {
  const records = [{ ...AN_EXAM, external_record_id: 'rec-planted', user: { email: ANN } }];
  const dryRuns = ['dry-0', 'dry-1', 'dry-2'].map((key) => ({ ...sent(records, 0), key, dry_run: true, run_id: RUN }));
  const keys = dryRuns.map(({ key }) => key);
  const planned = { plan_id: 'p000000000000', run_id: RUN, keys, atMs: ERASES_MS + afterMs };
  return {
    imports: dryRuns,
    changes: [],
    chunkRecords: 1,
    backlogMs: 0,
    settledPairs: false,
    plans: { isAlone: false, applied: [planned] },
    erasure: { atMs: ERASES_MS, beside: [] },
  };
};

const AN_EXAM = { content: { type: 'course', platform_course_id: 101 }, progress: { completion_pct: 50 } };

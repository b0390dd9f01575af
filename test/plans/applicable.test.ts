/**
 * Where nothing but the imports of a plan and the learners' own progress changed, no record is `plan_changed`: generated histories,
 * in any order of processing. Costs a second; `AT_LENGTH=1` a minute.
 */
import { expect, it } from 'vitest';
import { chunkMessages } from '../../functions/imports/lifecycle.ts';
import { commitPlanned, stagePlanned } from '../../functions/plans/accept-planned.ts';
import { newPlanId } from '../../functions/plans/plan-item.ts';
import { instant } from '../../functions/records/instants.ts';
import { FIRST_SEED, cases } from '../kit/at-length.ts';
import { Dice } from '../kit/dice.ts';
import { planted } from '../kit/planted.ts';
import { COMPANY_ID, importWorld, type ImportWorld } from '../imports/world.ts';

const EMAILS = ['ann@acme.test', 'ben@acme.test', 'cid@acme.test', 'nobody@acme.test'];
const IDS = ['r1', 'r2', 'r3'];

const someRecord = (dice: Dice) => ({
  external_record_id: dice.pick(IDS),
  user: { email: dice.pick(EMAILS) },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: dice.pick([20, 50, 100]), ...(dice.oneIn(3) && { completed_at: '2025-01-01' }) },
});
const batchOf = (dice: Dice) => Array.from({ length: dice.between(1, 3) }, () => someRecord(dice));

async function goOn(world: ImportWorld, dice: Dice): Promise<void> {
  const completion_pct = dice.between(1, 100);
  const dates = { certified_at: null, started_at: null, last_activity_at: null, completed_at: null };
  const progress = { completion_pct, classes: [], approved_course: 0, ...dates } as const;
  const pair = { company_id: COMPANY_ID, user_id: dice.between(7, 9), platform_course_id: 101 };
  await planted(world.stores.platform).putNativeProgress([{ ...pair, progress }]);
}

async function apply(world: ImportWorld, dryRuns: readonly string[], dice: Dice): Promise<string[]> {
  const plan = { plan_id: newPlanId(dice), applied_by: 1 };
  const imports = [];
  for (const [place, import_id] of dryRuns.entries()) {
    const planned = { plan, place, dryRun: await world.read(import_id) };
    const staged = (await stagePlanned(planned, world.stores, world.clock.now)) ?? [];
    world.clock.now += 1;
    imports.push(await commitPlanned(planned, staged, { created_at: instant(world.clock.now) }, world.stores));
  }
  for (const item of dice.shuffled(imports)) {
    if (dice.oneIn(2)) await goOn(world, dice);
    world.sent.push(...chunkMessages(item));
    await world.deliver();
  }
  return imports.map(({ import_id }) => import_id);
}

/** The codes of all that the imports of the plan rejected. */
async function codesOf(seed: number): Promise<string[]> {
  const dice = new Dice(seed);
  const world = await importWorld();
  for (let stored = dice.below(3); stored > 0; stored -= 1) {
    await world.accept(batchOf(dice), { import_id: `stored-${stored}`, replace: dice.oneIn(3) });
    world.clock.now += 1;
    await world.deliver();
  }
  const replace = dice.oneIn(2);
  const dryRuns = Array.from({ length: dice.between(1, 4) }, (_, at) => `dry-run-${at}`);
  for (const import_id of dryRuns)
    await world.accept(batchOf(dice), { import_id, dry_run: true, replace, run_id: 'run' });
  const first = await apply(world, dryRuns, dice);
  // What was cancelled, or applied already, is applied by a second plan of the same dry runs.
  const imports = dice.oneIn(3) && !replace ? [...first, ...(await apply(world, dryRuns, dice))] : first;
  const results = await Promise.all(imports.map((id) => world.results(id)));
  return results.flat().flatMap(({ errors }) => errors.map(({ error_code }) => error_code));
}

it('nothing is plan_changed by the plan itself, nor by what learners do', async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(5_000, 50); seed += 1)
    expect(await codesOf(seed), `seed ${seed}`).not.toContain('plan_changed');
});

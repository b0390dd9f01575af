/** A fold decides as the contributions that it stands for, or says that it may not. Random histories; costs a second. */
import { expect, it } from 'vitest';
import { packFold, unpackFold } from '../../functions/imports/folded-item.ts';
import { plannedImportId } from '../../functions/records/expected.ts';
import { foldOf, mayDiffer, precedes } from '../../functions/records/folded.ts';
import type { PlanContext } from '../../functions/records/plan.ts';
import { byAcceptance, isRepeat } from '../../functions/records/versions.ts';
import type { Contribution, CourseHistory, Fold } from '../../functions/shared/model.ts';
import { cases, FIRST_SEED } from '../kit/at-length.ts';
import { Dice } from '../kit/dice.ts';
import { contribution } from '../dynamodb/samples.ts';
import { plan, record } from './fixtures.ts';

const PLAN_ID = 'a'.repeat(13);
const hash = (text: string) => text;

/** A few contents of two records, so that they come again. */
function sent(dice: Dice) {
  const viewed_at = dice.pick(['2024-05-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z', undefined]);
  const classes = [1001, 1002].filter(() => dice.chance(0.4)).map((id) => ({ platform_class_id: id, viewed_at }));
  const completed_at = dice.pick(['2024-07-01T00:00:00.000Z', null, undefined]);
  const status = dice.pick(['passed', 'failed'] as const);
  const taken_at = dice.pick(['2024-08-01T00:00:00.000Z', undefined]);
  return record({
    external_record_id: dice.pick(['r-1', 'r-1', 'r-2']),
    progress: {
      completion_pct: dice.pick([50, 75, 100]),
      ...(dice.chance(0.5) && { classes }),
      ...(completed_at !== undefined && { completed_at }),
    },
    ...(dice.chance(0.3) && { assessment: { status, ...(taken_at !== undefined && { taken_at }) } }),
  });
}

/** Imports in the order of acceptance, now and then one before another, or at the same moment. */
function accepted(dice: Dice, at: number): Pick<PlanContext, 'import_id' | 'imported_at'> {
  const minute = 100 + 10 * at - (dice.chance(0.1) ? dice.below(40) : 0);
  const import_id = dice.chance(0.2) ? plannedImportId(PLAN_ID, at) : `import-${dice.hex(2)}-${at}`;
  return { import_id, imported_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() };
}

function version(dice: Dice, at: number, replacing: number): Contribution {
  const replace = dice.chance(replacing);
  const { write } = plan(sent(dice), undefined, { ...accepted(dice, at), replace, hash });
  return { ...(write?.contribution as Contribution), index: at };
}

const stored = (fold: Fold): Fold | undefined => unpackFold({ folded: packFold(fold) });

it('a record is planned alike by a fold and by the contributions that it stands for', () => {
  let alike = 0;
  let all = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(20_000, 400); seed += 1) {
    const dice = new Dice(seed, 21);
    const replacing = dice.pick([0, 0.3, 1]);
    const contributions = Array.from({ length: dice.between(2, 9) }, (_, at) => version(dice, at, replacing));
    const [first, second] = [dice.between(1, contributions.length), dice.below(3)];
    const once = foldOf(undefined, contributions.slice(0, first), 2);
    const twice = once && foldOf(stored(once), contributions.slice(first, first + second), 3);
    const folded = twice && stored(twice);
    if (folded === undefined) continue;
    const newer = contributions.slice(first + second).toSorted(byAcceptance);
    const whole: CourseHistory = {
      user_id: 7,
      platform_course_id: 101,
      native: null,
      items: 4,
      contributions: contributions.toSorted(byAcceptance),
    };
    const stands = folded.records.map((each) => each.contribution);
    const byFold = { ...whole, contributions: [...stands, ...newer], folded };
    const plan_id = dice.chance(0.3) ? PLAN_ID : undefined;
    const context = {
      ...accepted(dice, contributions.length + dice.below(2)),
      hash,
      replace: dice.chance(replacing),
      ...(dice.chance(0.4) && { dry_run: true, mayBePlanned: dice.chance(0.5) }),
      ...(plan_id !== undefined && { plan_id }),
      mayBeOvertaken: dice.chance(0.2),
    };
    if (!precedes(folded, context)) continue;
    const raw = sent(dice);
    const [theirs, ours] = [plan(raw, whole, context), plan(raw, byFold, context)];
    all += 1;
    if (mayDiffer(byFold, ours, plan_id)) continue;
    alike += 1;
    expect({ seed, planned: ours }).toEqual({ seed, planned: theirs });
  }
  expect(alike / all).toBeGreaterThan(0.4);
});

const night = (at: number, replaces = false) =>
  contribution({
    external_record_id: 'r-1',
    import_id: `import-${at}`,
    imported_at: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
    content_hash: at.toString(16).padStart(16, '0'),
    ...(replaces && { replaces: true as const }),
  });

it('a fold is 6 bytes a version at most, and as large as one version where each replaces those before', () => {
  const sizeOf = (nights: readonly Contribution[]) => packFold(foldOf(undefined, nights, 2) as Fold)?.byteLength ?? NaN;
  const nights = Array.from({ length: 1_000 }, (_, at) => night(at));
  expect(sizeOf(nights)).toBeLessThan(6_000);
  expect(sizeOf(nights.map((_, at) => night(at, true)))).toBeLessThan(500);
});

it.each([
  ['of more than 16 records', Array.from({ length: 17 }, (_, at) => ({ ...night(at), external_record_id: `r-${at}` }))],
  ['of more than 64 KB', Array.from({ length: 20_000 }, (_, at) => night(at))],
])('a history %s has no fold', (_, contributions) => {
  expect(packFold(foldOf(undefined, contributions, 2) as Fold)).toBeUndefined();
});

it('nothing is folded where there is nothing', () => {
  expect([foldOf(undefined, [], 2), isRepeat(night(1), [])]).toEqual([undefined, false]);
});

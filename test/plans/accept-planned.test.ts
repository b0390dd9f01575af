/** What an import of a plan may write, as a table: what changed between the dry run and its application. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { chunkMessages } from '../../functions/imports/lifecycle.ts';
import { commitPlanned, stagePlanned } from '../../functions/plans/accept-planned.ts';
import { newPlanId } from '../../functions/plans/plan-item.ts';
import { planIn, plannedImportId } from '../../functions/records/expected.ts';
import { instant } from '../../functions/records/instants.ts';
import { ANN, COMPANY_ID, SECOND, importWorld, record, type ImportWorld } from '../imports/world.ts';
import { planted } from '../kit/planted.ts';

const rated = (id: string, completion_pct: number, email?: string) => ({
  ...record(id, email),
  progress: { completion_pct },
});

let seed = 0;
const drawn = () => {
  seed += 1;
  return newPlanId({ hex: () => seed.toString(16).padStart(32, '0') });
};

/** Makes dry runs, each a batch; and applies the plan of them, in this order of processing. */
function planning(world: ImportWorld) {
  let made = 0;
  return {
    async dryRun(records: readonly unknown[], replace = false): Promise<string> {
      made += 1;
      const import_id = `dry-run-${made}`;
      await world.accept(records, { import_id, dry_run: true, replace, run_id: 'run' });
      return import_id;
    },
    async apply(dryRuns: readonly string[], order: readonly number[] = [...dryRuns.keys()]) {
      const plan = { plan_id: drawn(), applied_by: 1 };
      for (const [place, import_id] of dryRuns.entries()) {
        const planned = { plan, place, dryRun: await world.read(import_id) };
        const staged = await stagePlanned(planned, world.stores, world.clock.now);
        world.clock.now += 1;
        const times = { created_at: instant(world.clock.now) };
        if (staged !== undefined) await commitPlanned(planned, staged, times, world.stores);
      }
      const ids = dryRuns.map((_, place) => plannedImportId(plan.plan_id, place));
      for (const place of order) {
        world.sent.push(...chunkMessages(await world.read(ids[place])));
        await world.deliver();
      }
      return ids;
    },
    async imported(records: readonly unknown[], import_id: string, replace = false): Promise<void> {
      world.clock.now += SECOND;
      await world.accept(records, { import_id, replace });
      await world.deliver();
    },
  };
}

type Planning = ReturnType<typeof planning>;
const course = (more: object = {}) => ({ platform_course_id: 101, title: 'One', has_exam: true, classes: [], ...more });
const classes = (...ids: readonly number[]) => ids.map((id) => ({ platform_class_id: id, title: String(id) }));
const ann = { company_id: COMPANY_ID, user_id: 7, email: 'ann@acme.test', name: 'Ann', role: 'customer' } as const;
const user = { ...ann, avatar: '', license: 'active' } as const;

interface Case {
  readonly batches: readonly (readonly unknown[])[];
  readonly replace?: boolean;
  readonly before?: (world: ImportWorld, plans: Planning) => Promise<unknown>;
  readonly meanwhile?: (world: ImportWorld, plans: Planning, dryRuns: readonly string[]) => Promise<unknown>;
  readonly order?: readonly number[];
  readonly planned: readonly string[];
  readonly applied: readonly string[];
}

const courses = (world: ImportWorld, ...all: Parameters<ReturnType<typeof planted>['putCourses']>[1]) =>
  planted(world.stores.platform).putCourses(COMPANY_ID, all);
/** Ann has another address, and hers is Dan's. */
const moveAddress = async (world: ImportWorld) => {
  const platform = planted(world.stores.platform);
  await platform.replaceUser(user, { ...user, email: 'ann.new@acme.test' });
  await platform.putUsers([{ ...user, user_id: 17, name: 'Dan' }]);
};

const withClasses = { ...record('r1'), progress: { classes: [{ platform_class_id: 1 }] } };
const withExam = { ...record('r1'), assessment: { status: 'passed', taken_at: '2025-01-01' } };

const CASES: Readonly<Record<string, Case>> = {
  '1 two ids of one learner and course, the second batch processed first': {
    batches: [[rated('r1', 40)], [rated('r2', 80)]],
    order: [1, 0],
    planned: ['applied 40', 'applied 80'],
    applied: ['applied 80', 'applied 80'],
  },
  '2 an id in two batches, 40 then 30': {
    batches: [[rated('r1', 40)], [rated('r1', 30)]],
    planned: ['applied 40', 'applied 30'],
    applied: ['applied 40', 'updated 40'],
  },
  '3 an id in two batches, the same content': {
    batches: [[rated('r1', 40)], [rated('r1', 40)]],
    planned: ['applied 40', 'applied 40'],
    applied: ['applied 40', 'unchanged 40'],
  },
  '4 an id in two batches, of another learner': {
    batches: [[rated('r1', 40)], [rated('r1', 40, 'ben@acme.test')]],
    planned: ['applied 40', 'applied 40'],
    applied: ['applied 40', 'duplicate_external_record_id'],
  },
  '5 the learner went on to 60 on the platform': {
    batches: [[rated('r1', 50)]],
    meanwhile: (world) => {
      const progress = { completion_pct: 60, classes: [], approved_course: 0, certified_at: null } as const;
      const dates = { started_at: null, last_activity_at: null, completed_at: null };
      const native = { company_id: COMPANY_ID, ...ANN, progress: { ...progress, ...dates } };
      return planted(world.stores.platform).putNativeProgress([native]);
    },
    planned: ['applied 50'],
    applied: ['applied 60'],
  },
  '6 another import corrected the record, which replaces': {
    batches: [[rated('r1', 40)]],
    replace: true,
    before: (_, plans) => plans.imported([rated('r1', 90)], 'stored'),
    meanwhile: (_, plans) => plans.imported([rated('r1', 95)], 'correction'),
    planned: ['updated 40'],
    applied: ['plan_changed'],
  },
  '6 another import corrected the record, which joins': {
    batches: [[rated('r1', 40)]],
    before: (_, plans) => plans.imported([rated('r1', 90)], 'stored'),
    meanwhile: (_, plans) => plans.imported([rated('r1', 95)], 'correction'),
    planned: ['updated 90'],
    applied: ['updated 95'],
  },
  '7 the license ended': {
    batches: [[rated('r1', 40)]],
    meanwhile: (world) => planted(world.stores.platform).putUsers([{ ...user, license: 'inactive' }]),
    planned: ['applied 40'],
    applied: ['user_inactive'],
  },
  '8 the address is of another user now': {
    batches: [[rated('r1', 40)]],
    meanwhile: moveAddress,
    planned: ['applied 40'],
    applied: ['plan_changed'],
  },
  '9 the course has another class, and the percentage was derived': {
    batches: [[withClasses]],
    before: (world) => courses(world, course({ classes: classes(1) })),
    meanwhile: (world) => courses(world, course({ classes: classes(1, 2) })),
    planned: ['applied 100'],
    applied: ['plan_changed'],
  },
  '9 the course has another class, and the percentage was sent': {
    batches: [[{ ...withClasses, progress: { ...withClasses.progress, completion_pct: 100 } }]],
    before: (world) => courses(world, course({ classes: classes(1) })),
    meanwhile: (world) => courses(world, course({ classes: classes(1, 2) })),
    planned: ['applied 100'],
    applied: ['applied 100'],
  },
  '10 the dates are those of acceptance': {
    batches: [[rated('r1', 100)]],
    planned: ['applied 100'],
    applied: ['applied 100'],
  },
  '11 the import that it was unchanged because of was reverted': {
    batches: [[rated('r1', 40)]],
    before: (_, plans) => plans.imported([rated('r1', 40)], 'stored'),
    meanwhile: (world) => world.revert('stored'),
    planned: ['unchanged 40'],
    applied: ['plan_changed'],
  },
  '11 what it was unchanged because of was passed on to another import': {
    batches: [[rated('r1', 40)]],
    before: async (_, plans) => {
      await plans.imported([rated('r1', 40)], 'stored');
      await plans.imported([rated('r1', 40)], 'same');
    },
    meanwhile: (world) => world.revert('stored'),
    planned: ['unchanged 40'],
    applied: ['unchanged 40'],
  },
  '12 an earlier batch of the plan replaces what a later one repeats': {
    batches: [[rated('r1', 60)], [rated('r1', 40)]],
    replace: true,
    before: (_, plans) => plans.imported([rated('r1', 40)], 'stored'),
    planned: ['updated 60', 'unchanged 40'],
    applied: ['updated 60', 'updated 40'],
  },
  '13 the user was unknown, and was created since': {
    batches: [[rated('r1', 40, 'dan@acme.test')]],
    meanwhile: (world) =>
      planted(world.stores.platform).putUsers([{ ...user, user_id: 17, email: 'dan@acme.test', name: 'Dan' }]),
    planned: ['user_not_found'],
    applied: ['user_not_found'],
  },
  '14 a second plan of the same dry runs': {
    batches: [[rated('r1', 40)]],
    replace: true,
    meanwhile: (_, plans, dryRuns) => plans.apply(dryRuns),
    planned: ['applied 40'],
    applied: ['unchanged 40'],
  },
  '15 the address is of another user now, for whom another import has stored the same': {
    batches: [[rated('r1', 40)]],
    meanwhile: async (world, plans) => {
      await moveAddress(world);
      await plans.imported([rated('r1', 40)], 'other');
    },
    planned: ['applied 40'],
    applied: ['plan_changed'],
  },
  '16 the course has an exam now, of which the record says nothing': {
    batches: [[rated('r1', 40)]],
    before: (world) => courses(world, course({ has_exam: false })),
    meanwhile: (world) => courses(world, course()),
    planned: ['applied 40'],
    applied: ['applied 40'],
  },
  '17 the course has an exam now, and the assessment was ignored': {
    batches: [[withExam]],
    before: (world) => courses(world, course({ has_exam: false })),
    meanwhile: (world) => courses(world, course()),
    planned: ['applied 50'],
    applied: ['plan_changed'],
  },
  '18 what it replaces was reverted': {
    batches: [[rated('r1', 40)]],
    replace: true,
    before: (_, plans) => plans.imported([rated('r1', 90)], 'stored'),
    meanwhile: (world) => world.revert('stored'),
    planned: ['updated 40'],
    applied: ['plan_changed'],
  },
};

const shownOf = async (world: ImportWorld, ids: readonly string[]): Promise<string[]> => {
  const results = await Promise.all(ids.map((id) => world.results(id)));
  return results
    .flat()
    .map(({ outcome, errors, progress }) => errors[0]?.error_code ?? `${outcome} ${progress?.completion_pct}`);
};

describe('what is applied of what was planned', () => {
  it.each(Object.entries(CASES))('%s', async (_, { batches, replace, before, meanwhile, order, planned, applied }) => {
    const world = await importWorld();
    const plans = planning(world);
    await before?.(world, plans);
    world.clock.now += SECOND;
    const dryRuns: string[] = [];
    for (const records of batches) dryRuns.push(await plans.dryRun(records, replace));
    expect(await shownOf(world, dryRuns)).toEqual(planned);
    await meanwhile?.(world, plans, dryRuns);
    const imports = await plans.apply(dryRuns, order);
    expect(await shownOf(world, imports)).toEqual(applied);
  });
});

it('a record that is plan_changed writes nothing, binds no id, and says what was planned and what would be', async () => {
  const world = await importWorld();
  const plans = planning(world);
  await courses(world, course({ classes: classes(1) }));
  const dryRun = await plans.dryRun([withClasses]);
  await courses(world, course({ classes: classes(1, 2) }));
  const [applied] = await plans.apply([dryRun]);
  const [result] = await world.results(applied);
  expect(result).toMatchObject({ status: 'error', outcome: null, warnings: [], progress: null });
  expect(result?.errors[0]?.message).toContain('completion_pct 100 was planned, 50 would be stored');
  expect(await world.progressOf()).toBeUndefined();
  expect(await world.stores.progress.identities(COMPANY_ID, ['r1'])).toEqual(new Map());
});

it('a rejected record has the planned result again, word for word, and the warning of ignored members is kept', async () => {
  const world = await importWorld();
  const plans = planning(world);
  const big = { ...record('r2'), note: 'x'.repeat(200 * 1024) };
  const dryRun = await plans.dryRun([{ ...record('r1'), note: 1 }, big, record('r1'), record('r3', 'no@acme.test')]);
  const [applied] = await plans.apply([dryRun]);
  const [before, after] = [await world.results(dryRun), await world.results(applied)];
  expect(after.slice(1)).toEqual(before.slice(1));
  expect(after[0]?.warnings).toEqual(before[0]?.warnings);
  expect(after[0]?.warnings.map(({ warning_code }) => warning_code)).toContain('unknown_field_ignored');
});

/** A dry run of one record, and its plan. */
async function plannedDryRun(world: ImportWorld, place = 0) {
  const dryRun = await world.read(await planning(world).dryRun([record('r1')]));
  return { plan: { plan_id: drawn(), applied_by: 1 }, place, dryRun };
}

it('of two drivers that commit the import of one dry run, the first one counts', async () => {
  const world = await importWorld();
  const planned = await plannedDryRun(world, 3);
  const staged = (await stagePlanned(planned, world.stores, world.clock.now)) ?? [];
  const first = await commitPlanned(planned, staged, { created_at: '2026-01-02T00:00:00.000Z' }, world.stores);
  const second = await commitPlanned(planned, staged, { created_at: '2026-01-03T00:00:00.000Z' }, world.stores);
  expect(second).toEqual(first);
  expect(planIn(first.import_id)).toBe(planned.plan.plan_id);
  expect(first).toMatchObject({
    planned_by: planned.dryRun.import_id,
    created_by: 1,
    chunks: [{ first_index: 0, size: 1 }],
  });
});

it('a dry run whose report is gone is not staged', async () => {
  const world = await importWorld();
  const planned = await plannedDryRun(world);
  await world.stores.imports.dropReport(planned.dryRun, planned.dryRun.attempt_id, 1);
  expect(await stagePlanned(planned, world.stores, world.clock.now)).toBeUndefined();
});

/** What a plan costs: to make one of a million records and of the most, and to apply one, as the driver does it. */
import { continueApplication } from '../../functions/plans/steps.ts';
import { applyPlan } from '../../functions/plans/apply.ts';
import type { RunPlanItem } from '../../functions/plans/plan-item.ts';
import { makePlan } from '../../functions/runs/make-plan.ts';
import { instant } from '../../functions/records/instants.ts';
import { MAX_IMPORTS_IN_PLAN } from '../../functions/shared/limits.ts';
import { importItem } from '../dynamodb/samples.ts';
import { plannedPerMillion } from './cost.ts';
import { callsOf, perRecord, readUnitsOf, writeUnitsOf } from './imports.ts';
import { COMPANY_ID, importOf, RECORDS_PER_IMPORT } from './workload.ts';
import { figuresWorld, type Tally, type World } from './world.ts';

const RUN = { company_id: COMPANY_ID, run_id: 'spring' };
const MINUTE = 60_000;
/** As many as a step of the driver takes. */
const APPLIED = 8;

const made = async (import_ids: readonly string[], { services }: World): Promise<RunPlanItem> => {
  const result = await makePlan(RUN, { import_ids, by: 1 }, services);
  if (result.kind !== 'made') throw new Error(result.kind);
  return result.plan;
};

/** `ms`: of calls, on the clock of calls; `computing`: processor time, which no gate compares. */
async function makingFigures(records: number): Promise<{ readonly tally: Tally; readonly computing: number }> {
  const world = await figuresWorld({ learners: 1, courses: 1 });
  const { clock, stores } = world.services;
  const created_at = instant(clock.nowMs());
  await stores.imports.putRun(RUN, { created_at, by: 1, dry_run: true });
  const digests = { records_digest: 'a'.repeat(64), results_digest: 'b'.repeat(64) };
  const summary = { succeeded: RECORDS_PER_IMPORT, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };
  const ended = { status: 'validated', dry_run: true, completed_at: created_at, summaries: { 0: summary } } as const;
  const import_ids = Array.from({ length: records / RECORDS_PER_IMPORT }, (_, at) => String(at).padStart(26, '0'));
  for (const import_id of import_ids) {
    const item = { import_id, run_id: RUN.run_id, total: RECORDS_PER_IMPORT, created_at, digests, ...ended };
    await stores.imports.commit(importItem(COMPANY_ID, item));
  }
  const before = process.cpuUsage();
  const { tally } = await world.measure(() => made(import_ids, world));
  const { user, system } = process.cpuUsage(before);
  return { tally, computing: (user + system) / 1_000 };
}

/** Applies a plan of eight dry runs of 500 records, each of another learner. */
async function applying() {
  const world = await figuresWorld({ learners: RECORDS_PER_IMPORT, courses: APPLIED + 1 });
  const { services } = world;
  const import_ids: string[] = [];
  for (let course = 0; course < APPLIED; course += 1) {
    const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { courses: course });
    const sent = { dry_run: true, run_id: RUN.run_id, records };
    const { value } = await world.measure(() => world.post(sent, `dry-run-${course}`));
    import_ids.push((value.body as { import_id: string }).import_id);
  }
  const plan = await made(import_ids, world);
  await applyPlan(plan, { plan_digest: plan.plan_digest, by: 1, approval: 'none' }, services);
  const driver: Tally[] = [];
  const chunks: Tally[] = [];
  const deliver = () =>
    world.deliver(async (run) => {
      const { tally } = await world.measure(run);
      (tally.kinds['learner-course'] === undefined ? driver : chunks).push(tally);
    });
  await deliver();
  // Messages of a chain come after a while; here it ends at once.
  driver.splice(1);
  const later = { ...services, clock: { nowMs: () => services.clock.nowMs() + MINUTE } };
  const message = { kind: 'application', company_id: COMPANY_ID, plan_id: plan.plan_id, hops: 0 } as const;
  driver.push((await world.measure(() => continueApplication(message, later))).tally);
  const ended = await services.stores.plans.read(plan);
  if (ended?.status !== 'applied' || chunks.length === 0) throw new Error(`the plan is ${ended?.status}`);
  return { driver, chunks };
}

export async function planFigures(): Promise<Record<string, number>> {
  const million = await makingFigures(1_000_000);
  const most = await makingFigures(MAX_IMPORTS_IN_PLAN * RECORDS_PER_IMPORT);
  const { driver, chunks } = await applying();
  const each = (count: number) => perRecord(count / APPLIED);
  const ms = Math.round(most.computing);
  console.log(`a plan of ${MAX_IMPORTS_IN_PLAN} dry runs: ${most.tally.ms} ms of calls, ${ms} ms of computing here`);
  return {
    'plan of a million records: AWS calls': callsOf(million.tally),
    'plan of a million records: write units': writeUnitsOf(million.tally),
    'plan of a million records: read units': readUnitsOf(million.tally),
    'plan of 10 million records: AWS calls': callsOf(most.tally),
    'plan of 10 million records: write units': writeUnitsOf(most.tally),
    'plan of 10 million records: read units': readUnitsOf(most.tally),
    'plan of 10 million records: virtual ms': most.tally.ms,
    'applied: write units per record': each(writeUnitsOf(...driver, ...chunks)),
    'applied: read units per record': each(readUnitsOf(...driver, ...chunks)),
    'applied: AWS calls': callsOf(...driver, ...chunks) / APPLIED,
    'dollars per million records of a plan that is applied': plannedPerMillion({ driver, chunks, imports: APPLIED }),
  };
}

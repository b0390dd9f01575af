/** What the operations on a plan do, by the stores: it is made, and its application begins. */
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { instant } from '../../functions/records/instants.ts';
import type { Services } from '../kit/services.ts';
import { waitingPlan } from '../plans/plans.ts';
import type { PlannedApplication } from './workload.ts';
import { COMPANY } from './world.ts';

/** Each part may be there already. */
export async function makeAndApply(planned: PlannedApplication, nowMs: number, services: Services): Promise<void> {
  const { plans } = services.stores;
  const ids = { company_id: COMPANY, plan_id: planned.plan_id };
  if ((await plans.read(ids)) === undefined) await make(planned, nowMs, services);
  const plan = await plans.read(ids);
  if (plan?.status !== 'waiting') return;
  const applied_at = instant(nowMs);
  const begun = { status: 'applying', phase: 'applying', applied_by: 1, applied_at, due_at: applied_at } as const;
  if ((await plans.beginApplying(plan, begun)) === undefined) throw new Error('The plan changed meanwhile.');
  await services.queue.send([{ kind: 'application', ...ids, hops: 0 }]);
}

async function make({ plan_id, run_id, keys }: PlannedApplication, nowMs: number, { stores }: Services): Promise<void> {
  const { imports, plans } = stores;
  const run = { company_id: COMPANY, run_id };
  const dryRuns = keys.map((key) => importIdForKey(COMPANY, key));
  const found = await imports.readAll(COMPANY, dryRuns);
  const former = await plans.newest(run);
  if (former?.status === 'applying') throw new Error('Another plan is applied.');
  const created_at = instant(nowMs);
  await imports.putRun(run, { created_at, by: 1, dry_run: true });
  const waiting = waitingPlan(plan_id);
  const plan = { ...waiting, run_id, created_at, counts: { ...waiting.counts, imports: found.length } };
  const listed = found.map(({ import_id }) => import_id);
  if (!(await plans.make(plan, listed, former))) throw new Error('The run changed meanwhile.');
}

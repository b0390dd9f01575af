/** Begins and cancels the application of a plan (§4.11). The service carries it out alone: `steps.ts`. */
import type { StoredCreator } from '../auth/creator.ts';
import type { ImportServices } from '../imports/services.ts';
import { instant } from '../records/instants.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { PlanIds } from '../shared/model.ts';
import { mayBeApplied, type Approval } from './approval.ts';
import { isOpenPlan, type RunPlanItem } from './plan-item.ts';
import type { PlanStore } from './store.ts';

type Refusal = 'differs' | 'closed' | 'unapproved';

interface Asked {
  readonly plan_digest: string;
  readonly by: StoredCreator;
  readonly approval: Approval;
}

type ApplyServices<Names extends keyof PlanStore> = Pick<ImportServices, 'clock' | 'queue' | 'telemetry'> & {
  readonly stores: { readonly plans: Pick<PlanStore, Names> };
};

/** Somebody else may approve or replace the plan meanwhile. */
const ATTEMPTS = 5;

/** Begins the application, unless the plan must not be applied. `repeated`: it began before, and nothing changes. */
export async function applyPlan(
  found: RunPlanItem,
  { plan_digest, by, approval }: Asked,
  services: ApplyServices<'beginApplying' | 'read'>,
): Promise<Refusal | 'begun' | 'repeated'> {
  const { clock, stores } = services;
  let plan: RunPlanItem | undefined = found;
  for (let attempt = 0; attempt < ATTEMPTS && plan !== undefined; attempt += 1) {
    if (plan.plan_digest !== plan_digest) return 'differs';
    if (plan.status === 'applying' || plan.status === 'applied') return 'repeated';
    if (!isOpenPlan(plan, clock.nowMs())) return 'closed';
    if (!mayBeApplied(plan, approval)) return 'unapproved';
    const now = instant(clock.nowMs());
    const begun = { status: 'applying', phase: 'applying', applied_by: by, applied_at: now, due_at: now } as const;
    if ((await stores.plans.beginApplying(plan, begun)) !== undefined) {
      await send(plan, services);
      return 'begun';
    }
    plan = await stores.plans.read(plan);
  }
  throw new TemporarilyUnavailable('The plan changes too often.');
}

/** Cancels the application, if it runs: no further import is accepted. Those that are open are cancelled by its last step, too. */
export async function cancelApplication(plan: PlanIds, services: ApplyServices<'cancel'>): Promise<void> {
  const isCancelled = await services.stores.plans.cancel(plan, instant(services.clock.nowMs()));
  if (isCancelled) await send(plan, services);
}

async function send({ company_id, plan_id }: PlanIds, { queue, telemetry }: ApplyServices<never>): Promise<void> {
  await queue
    .send([{ kind: 'application', company_id, plan_id, hops: 0 }])
    .catch((error: unknown) => telemetry.error('An application could not be sent. The watchdog sends it.', error));
}

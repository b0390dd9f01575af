/** Cancels the application of a plan (§4.11). The service carries it out alone: `steps.ts`. */
import type { ImportServices } from '../imports/services.ts';
import { instant } from '../records/instants.ts';
import type { PlanIds } from '../shared/model.ts';
import type { PlanStore } from './store.ts';

type ApplyServices<Names extends keyof PlanStore> = Pick<ImportServices, 'clock' | 'queue' | 'telemetry'> & {
  readonly stores: { readonly plans: Pick<PlanStore, Names> };
};

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

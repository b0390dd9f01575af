import { expectNoBody } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { newestPlan, planClosed } from '../http/plan-requests.ts';
import { isUndecided } from '../plans/plan-item.ts';
import { planStore } from '../plans/store.ts';
import { untilDone } from '../runs/draft.ts';
import { runItemReader } from '../runs/store.ts';
import { deletePlan as route } from '../shared/routes.ts';

/** `DELETE …/runs/{run_id}/plan` (§4.11): 204, the plan is withdrawn. Errors: 404 `plan_not_found`, 409 `plan_closed`. */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: { runs: runItemReader(database), plans: planStore(database) } }),
  async (request, services) => {
    expectNoBody(request);
    await untilDone(async () => {
      const plan = await newestPlan(request, services);
      if (plan.status === 'withdrawn') return plan;
      if (!isUndecided(plan))
        throw planClosed(
          'This plan is being applied, or has ended, so it cannot be withdrawn. Cancel the run instead.',
        );
      return services.stores.plans.advance(plan, { status: 'withdrawn' });
    });
    return { statusCode: 204 };
  },
);

import { migrationOperation } from '../http/operations.ts';
import { newestPlan } from '../http/plan-requests.ts';
import { shownPlan } from '../plans/plan-item.ts';
import { planStore } from '../plans/store.ts';
import { runItemReader } from '../runs/store.ts';
import { getPlan as route } from '../shared/routes.ts';

/** `GET …/runs/{run_id}/plan` (§4.11): the newest plan. Errors: 404 `run_not_found`, `plan_not_found`. */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: { runs: runItemReader(database), plans: planStore(database) } }),
  async (request, services) => ({
    statusCode: 200,
    body: shownPlan(await newestPlan(request, services), services.clock.nowMs()),
  }),
);

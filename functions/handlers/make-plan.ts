import { creatorOf } from '../auth/creator.ts';
import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { planClosed } from '../http/plan-requests.ts';
import { runNotFound, runOf } from '../http/parameters.ts';
import { rejectionOf } from '../http/request.ts';
import { planRequest } from '../http/run-bodies.ts';
import { runReader } from '../imports/import-lists.ts';
import { shownPlan } from '../plans/plan-item.ts';
import { planStore } from '../plans/store.ts';
import { makePlan } from '../runs/make-plan.ts';
import { runItemReader } from '../runs/store.ts';
import { makePlan as route } from '../shared/routes.ts';

/** `POST …/runs/{run_id}/plan` (§4.11): 201, or 200 where the plan is of the same dry runs. Errors: 409 `plan_incomplete`, `plan_closed`. */
export const handler = migrationOperation(
  route,
  (database) => ({
    stores: { imports: runReader(database), runs: runItemReader(database), plans: planStore(database) },
  }),
  async (request, services) => {
    const { import_ids } = bodyOf(planRequest, request);
    const ids = runOf(request);
    const made = await makePlan(ids, { import_ids, by: creatorOf(request.caller) }, services);
    if (made.kind === 'unknown') throw runNotFound(ids.run_id);
    if (made.kind === 'incomplete') throw rejectionOf(made.problems);
    if (made.kind === 'closed')
      throw planClosed('A plan of this run is being applied. Wait until it has ended, or cancel the run.');
    const body = shownPlan(made.plan, services.clock.nowMs());
    return { statusCode: made.kind === 'made' ? 201 : 200, body };
  },
);

import { expectNoBody } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { runOf, runNotFound } from '../http/parameters.ts';
import { RequestRejected } from '../http/types.ts';
import { planStore } from '../plans/store.ts';
import { removeRun } from '../runs/draft.ts';
import { runStore } from '../runs/store.ts';
import { deleteRun as route } from '../shared/routes.ts';

/** `DELETE …/progress/runs/{run_id}` (§4.11): 204 for a draft, whose plan is withdrawn. Errors: 404 `run_not_found`, 409 `plan_closed`. */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: { runs: runStore(database), plans: planStore(database) } }),
  async (request, services) => {
    expectNoBody(request);
    const ids = runOf(request);
    const removed = await removeRun(ids, services);
    if (removed === 'unknown') throw runNotFound(ids.run_id);
    if (removed === 'removed') return { statusCode: 204 };
    throw new RequestRejected(
      'plan_closed',
      'This run has a real import, or one is being made, so it is no draft. Cancel or revert it instead.',
    );
  },
);

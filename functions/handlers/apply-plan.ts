import { creatorOf } from '../auth/creator.ts';
import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { approvalRequired, digestDiffers, newestPlan, planClosed } from '../http/plan-requests.ts';
import { runNotFound, runOf } from '../http/parameters.ts';
import { applyRequest } from '../http/run-bodies.ts';
import { retryRunAfter } from '../imports/results.ts';
import { runCounts } from '../imports/run-counts.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { applyPlan } from '../plans/apply.ts';
import { approvalIn } from '../plans/approval.ts';
import { planStore } from '../plans/store.ts';
import { readRun } from '../runs/read.ts';
import { runItemReader } from '../runs/store.ts';
import { applyPlan as route, getRun, pathOf } from '../shared/routes.ts';

/** `POST …/runs/{run_id}/plan/apply` (§4.11): 202 the run, which the service imports alone; 200 if it does already. Errors: 403, 404, 409. */
export const handler = migrationOperation(
  route,
  (database, environment) => ({
    approval: approvalIn(environment),
    queue: sqsJobQueue(environment),
    stores: { imports: runCounts(database), runs: runItemReader(database), plans: planStore(database) },
  }),
  async (request, services) => {
    const { plan_digest } = bodyOf(applyRequest, request);
    const ids = runOf(request);
    const plan = await newestPlan(request, services);
    const { approval } = services;
    const applied = await applyPlan(plan, { plan_digest, by: creatorOf(request.caller), approval }, services);
    if (applied === 'differs') throw digestDiffers(plan);
    if (applied === 'closed') throw planClosed('This plan was withdrawn or cancelled, or has expired. Make a new one.');
    if (applied === 'unapproved') throw approvalRequired();
    const run = await readRun(ids, services);
    if (run === undefined) throw runNotFound(ids.run_id);
    if (applied === 'repeated') return { statusCode: 200, body: run };
    const location = request.basePath + pathOf(getRun, ids);
    return { statusCode: 202, headers: { ...retryRunAfter(run, services.clock.nowMs()), location }, body: run };
  },
);

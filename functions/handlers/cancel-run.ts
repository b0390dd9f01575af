import { expectNoBody } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { runOf, runNotFound } from '../http/parameters.ts';
import { retryRunAfter } from '../imports/results.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { accountEventBus } from '../runtime/event-bus.ts';
import { importStore } from '../imports/import-store.ts';
import { cancelOpen } from '../imports/runs.ts';
import { cancelApplication } from '../plans/apply.ts';
import { planStore } from '../plans/store.ts';
import { readOpenRun } from '../runs/read.ts';
import { runItemReader } from '../runs/store.ts';
import { cancelRun as route } from '../shared/routes.ts';

/** `POST …/progress/runs/{run_id}/cancel` (§4.9): cancels each open import of the run, and the application of its plan. 200 where all had ended already. */
export const handler = migrationOperation(
  route,
  (database, environment) => ({
    queue: sqsJobQueue(environment),
    events: accountEventBus(environment),
    stores: { imports: importStore(database), runs: runItemReader(database), plans: planStore(database) },
  }),
  async (request, services) => {
    expectNoBody(request);
    const ids = runOf(request);
    const found = await readOpenRun(ids, services);
    if (found === undefined) throw runNotFound(ids.run_id);
    const { run } = found;
    const { company_id, plan } = run;
    const isApplying = plan?.status === 'applying';
    // First: nothing is accepted after this. What was accepted meanwhile is read again.
    if (isApplying) await cancelApplication({ company_id, plan_id: plan.plan_id }, services);
    const { open } = (isApplying ? await readOpenRun(ids, services) : undefined) ?? found;
    await cancelOpen(open, services);
    if (run.status !== 'processing') return { statusCode: 200, body: run };
    return { statusCode: 202, headers: retryRunAfter(run, services.clock.nowMs()), body: run };
  },
);

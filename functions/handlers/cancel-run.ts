import { jsonBody } from '../http/json-body.ts';
import { expectNoBody } from '../http/known-names.ts';
import { migrationOperation } from '../http/operations.ts';
import { runIdOfPath, runNotFound } from '../http/request.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { accountEventBus } from '../runtime/event-bus.ts';
import { retryAfter } from '../imports/results.ts';
import { importStore } from '../imports/import-store.ts';
import { cancelRun } from '../imports/runs.ts';

/** `POST …/progress/runs/{run_id}/cancel` (§4.9): cancels each open import of the run. 200 where all had ended already. */
export const handler = migrationOperation(
  (database, environment) => ({
    readBody: jsonBody,
    queue: sqsJobQueue(environment),
    events: accountEventBus(environment),
    stores: { imports: importStore(database) },
  }),
  async (request, services) => {
    expectNoBody(request);
    const run = await cancelRun(request.caller.company.company_id, runIdOfPath(request.path), services);
    if (run === undefined) throw runNotFound(runIdOfPath(request.path));
    if (run.status !== 'processing') return { statusCode: 200, body: run };
    return { statusCode: 202, headers: retryAfter(run, services.clock.nowMs()), body: run };
  },
);

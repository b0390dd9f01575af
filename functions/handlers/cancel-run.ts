import { verifierOf } from '../auth/verify-token.ts';
import { migrationOperation } from '../http/operations.ts';
import { runIdOfPath, runNotFound } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { accountEventBus } from '../runtime/event-bus.ts';
import { retryAfter } from '../imports/results.ts';
import { cancelRun } from '../imports/runs.ts';
import { liveServices } from '../services/services.ts';
import type { ServicesWith } from '../services/services.ts';

/** `POST …/progress/runs/{run_id}/cancel` (§4.9): cancels each open import of the run. 200 where all had ended already. */
export const cancel: ProtectedOperation<ServicesWith<'verifier' | 'queue' | 'events'>> = async (request, services) => {
  const run = await cancelRun(request.caller.company.company_id, runIdOfPath(request.path), services);
  if (run === undefined) throw runNotFound();
  if (run.status !== 'processing') return { statusCode: 200, body: run };
  return { statusCode: 202, headers: retryAfter(run, services.clock.nowMs()), body: run };
};

export const handler = migrationOperation(
  cancel,
  {},
  liveServices((environment, core) => ({
    queue: sqsJobQueue(environment),
    events: accountEventBus(environment),
    verifier: verifierOf(core),
  })),
);

import { migrationOperation } from '../http/operations.ts';
import { runOf, runNotFound } from '../http/request.ts';
import { retryWhileOpen } from '../imports/results.ts';
import { runCounts } from '../imports/run-counts.ts';
import { readRun } from '../imports/runs.ts';

/** `GET …/progress/runs/{run_id}` (§4.9): status and counts over the real imports of the run. */
export const handler = migrationOperation(
  (database) => ({ stores: { imports: runCounts(database) } }),
  async (request, services) => {
    const ids = runOf(request);
    const run = await readRun(ids, services);
    if (run === undefined) throw runNotFound(ids.run_id);
    return { statusCode: 200, headers: retryWhileOpen(run, services.clock.nowMs()), body: run };
  },
);

import { migrationOperation } from '../http/operations.ts';
import { choiceFrom, runOf, runNotFound } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { retryRunAfter } from '../imports/results.ts';
import { runCounts } from '../imports/run-counts.ts';
import { planStore } from '../plans/store.ts';
import { readRun } from '../runs/read.ts';
import { tagOf } from '../runs/run-item.ts';
import { runItemReader } from '../runs/store.ts';
import { RUN_INCLUDES } from '../shared/codes.ts';
import { getRun as route } from '../shared/routes.ts';

/** `GET …/progress/runs/{run_id}` (§4.9): status and counts over the real imports of the run, and what was decided about it (§4.11). */
export const handler = migrationOperation(
  route,
  (database) => ({
    stores: { imports: runCounts(database), runs: runItemReader(database), plans: planStore(database) },
  }),
  async (request, services) => {
    const ids = runOf(request);
    const [include] = checkAll(request, () => choiceFrom(request.query, 'include', RUN_INCLUDES));
    const [run, document] = await Promise.all([
      readRun(ids, services),
      include === undefined ? undefined : services.stores.runs.readDocument(ids),
    ]);
    if (run === undefined) throw runNotFound(ids.run_id);
    const headers = {
      ...(run.status === 'processing' && retryRunAfter(run, services.clock.nowMs())),
      etag: tagOf(run),
    };
    return {
      statusCode: 200,
      headers,
      body: { ...run, ...(include !== undefined && { document }) },
    };
  },
);

import { download } from '../http/operations.ts';
import { pageOf, resultsQuery } from '../http/paging.ts';
import { runOf, runNotFound } from '../http/parameters.ts';
import { planReader } from '../imports/chunk-store.ts';
import { runReader } from '../imports/import-lists.ts';
import { runCounts } from '../imports/run-counts.ts';
import { readRunResults, type RunPosition } from '../imports/runs.ts';
import { planStore } from '../plans/store.ts';
import { readRun } from '../runs/read.ts';
import { runItemReader } from '../runs/store.ts';
import type { RunStatus } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import { listRunRecords as route } from '../shared/routes.ts';

/** The status of the run is read with the first page, because it takes every import of the run. */
type Position = RunPosition & { readonly run_status: RunStatus };

/** `GET …/runs/{run_id}/records` (§4.9): the results of all real imports. Errors: 404 `run_not_found`, 400. */
export const handler = download(
  route,
  (database) => ({
    stores: {
      imports: { ...runCounts(database), ...planReader(database), ...runReader(database) },
      runs: runItemReader(database),
      plans: planStore(database),
    },
  }),
  async (request, services) => {
    const { scope, status, include, after } = resultsQuery<Position>(request, `run-records:${request.path['run_id']}`);
    const run = runOf(request);
    const run_status = after?.run_status ?? (await readRun(run, services))?.status;
    if (run_status === undefined) throw runNotFound(run.run_id);
    let expired = {};
    const { items, next_cursor } = await pageOf(request, {
      scope,
      limits: PAGE_LIMITS.records,
      read: async (limit, from: Position | undefined) => {
        const wanted = { status, limit, after: from };
        const { found, searchedTo, isExpired } = await readRunResults(run, wanted, services);
        if (isExpired) expired = { report_expired: true };
        const items = found.map(({ position, result, record }) => ({
          position: { ...position, run_status },
          shown: { import_id: position.import_id, ...result, ...(include !== undefined && { record }) },
        }));
        return { items, ...(searchedTo && { searchedTo: { ...searchedTo, run_status } }) };
      },
      positionOf: ({ position }) => position,
    });
    const records = items.map(({ shown }) => shown);
    const body = { run_id: run.run_id, status: run_status, ...expired, records, next_cursor };
    return { statusCode: 200, body, shows: records.length };
  },
);

import { migrationOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { importLists, type ListedRun } from '../imports/import-lists.ts';
import { runCounts } from '../imports/run-counts.ts';
import { readRun } from '../imports/runs.ts';
import { inParallel } from '../runtime/batching.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

const RUNS_AT_ONCE = 5;

/** `GET …/progress/runs` (§4.9): the runs of the company with their status and counts, newest first. */
export const handler = migrationOperation(
  (database) => ({ stores: { imports: { ...importLists(database), ...runCounts(database) } } }),
  async (request, services) => {
    const { company_id } = request.caller.company;
    const { items, next_cursor } = await pageOf(request, {
      scope: 'runs',
      limits: PAGE_LIMITS.runs,
      read: (limit, after: ListedRun | undefined) => services.stores.imports.listRuns(company_id, limit, after),
      positionOf: ({ created_at, run_id }) => ({ created_at, run_id }),
    });
    const runs = await inParallel(items, RUNS_AT_ONCE, async ({ run_id }) => readRun({ company_id, run_id }, services));
    return { statusCode: 200, body: { runs: runs.filter((run) => run !== undefined), next_cursor } };
  },
);

import { migrationOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { choiceFrom, limitFrom, shapeFrom } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { importLists, type ListedRun } from '../imports/import-lists.ts';
import { runCounts } from '../imports/run-counts.ts';
import { planStore } from '../plans/store.ts';
import { listRuns } from '../runs/list.ts';
import { runItemReader } from '../runs/store.ts';
import { RUN_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import { listRuns as route } from '../shared/routes.ts';

/** `GET …/progress/runs` (§4.9): the runs of the company with their status and counts, newest first, narrowed by status and shape (§4.11). */
export const handler = migrationOperation(
  route,
  (database) => ({
    stores: {
      imports: { ...importLists(database), ...runCounts(database) },
      runs: runItemReader(database),
      plans: planStore(database),
    },
  }),
  async (request, services) => {
    const { company_id } = request.caller.company;
    const { query } = request;
    const [status, shape] = checkAll(
      request,
      () => choiceFrom(query, 'status', RUN_STATUSES),
      () => shapeFrom(query),
      () => limitFrom(query, PAGE_LIMITS.runs),
    );
    const isFiltered = status !== undefined || shape !== undefined;
    const { items: runs, next_cursor } = await pageOf(request, {
      // Without a filter, cursors of earlier releases stay valid.
      scope: isFiltered ? `runs:${JSON.stringify({ status, shape })}` : 'runs',
      limits: PAGE_LIMITS.runs,
      read: (limit, after: ListedRun | undefined) => listRuns(company_id, { status, shape, limit, after }, services),
      positionOf: ({ created_at, run_id }) => ({ created_at, run_id }),
    });
    return { statusCode: 200, body: { runs, next_cursor } };
  },
);

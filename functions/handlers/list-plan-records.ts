import { download } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { newestPlan } from '../http/plan-requests.ts';
import { choiceFrom, limitFrom } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { planReader } from '../imports/chunk-store.ts';
import { runReader } from '../imports/import-lists.ts';
import { shownPlan } from '../plans/plan-item.ts';
import { readPlanResults, type PlanPosition } from '../plans/results.ts';
import { planStore } from '../plans/store.ts';
import { runItemReader } from '../runs/store.ts';
import { OUTCOMES, RECORD_INCLUDES, RECORD_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import { listPlanRecords as route } from '../shared/routes.ts';

/** `GET …/runs/{run_id}/plan/records` (§4.11): the planned results, each with its dry run. Errors: 404 `plan_not_found`, 400. */
export const handler = download(
  route,
  (database) => ({
    stores: {
      imports: { ...runReader(database), ...planReader(database) },
      runs: runItemReader(database),
      plans: planStore(database),
    },
  }),
  async (request, services) => {
    const { query } = request;
    const [status, outcome, include] = checkAll(
      request,
      () => choiceFrom(query, 'status', RECORD_STATUSES),
      () => choiceFrom(query, 'outcome', OUTCOMES),
      () => choiceFrom(query, 'include', RECORD_INCLUDES),
      () => limitFrom(query, PAGE_LIMITS.records),
    );
    const plan = await newestPlan(request, services);
    const { plan_id, run_id, plan_digest } = plan;
    let expired = {};
    const { items, next_cursor } = await pageOf(request, {
      scope: `plan-records:${JSON.stringify({ plan_id, status, outcome, include })}`,
      limits: PAGE_LIMITS.records,
      read: async (limit, after: PlanPosition | undefined) => {
        const { found, searchedTo, isExpired } = await readPlanResults(
          plan,
          { status, outcome, limit, after },
          services,
        );
        if (isExpired) expired = { report_expired: true };
        const items = found.map(({ position, import_id, result, record }) => ({
          position,
          shown: { import_id, ...result, ...(include !== undefined && { record }) },
        }));
        return { items, ...(searchedTo && { searchedTo }) };
      },
      positionOf: ({ position }) => position,
    });
    const records = items.map(({ shown }) => shown);
    const { status: plan_status } = shownPlan(plan, services.clock.nowMs());
    const body = { plan_id, run_id, status: plan_status, plan_digest, ...expired, records, next_cursor };
    return { statusCode: 200, body, shows: records.length };
  },
);

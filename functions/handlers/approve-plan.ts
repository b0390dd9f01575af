import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { approvalByAnother, digestDiffers, newestPlan, planClosed } from '../http/plan-requests.ts';
import { approveRequest } from '../http/run-bodies.ts';
import { owing } from '../jobs/owed.ts';
import { approvalIn, isAnother, isApproved } from '../plans/approval.ts';
import { isOpenPlan, shownPlan } from '../plans/plan-item.ts';
import { planStore } from '../plans/store.ts';
import { instant } from '../records/instants.ts';
import { untilDone } from '../runs/draft.ts';
import { runItemReader } from '../runs/store.ts';
import { approvePlan as route } from '../shared/routes.ts';

/** `POST …/runs/{run_id}/plan/approve` (§4.11): 200, the plan. Errors: 403 `approval_by_another`, 409 `plan_digest_differs`, `plan_closed`. */
export const handler = migrationOperation(
  route,
  (database, environment) => ({
    approval: approvalIn(environment),
    stores: { runs: runItemReader(database), plans: planStore(database) },
  }),
  async (request, services) => {
    const { plan_digest, comment = null } = bodyOf(approveRequest, request);
    const { caller } = request;
    // No scope opens this operation.
    if (!('user' in caller)) throw new Error('A machine approves nothing.');
    const { user_id } = caller.user;
    const nowMs = services.clock.nowMs();
    const approved = await untilDone(async () => {
      const plan = await newestPlan(request, services);
      if (plan.plan_digest !== plan_digest) throw digestDiffers(plan);
      if (!isOpenPlan(plan, nowMs))
        throw planClosed('This plan is being applied, or has ended, so it cannot be approved. Make a new one.');
      if (services.approval === 'second' && !isAnother(plan, user_id)) throw approvalByAnother();
      // The first approval stays: nobody else's name or comment takes its place.
      if (isApproved(plan, services.approval)) return plan;
      const at = instant(nowMs);
      const decision = { status: 'approved', approved_at: at, approved_by: user_id, comment } as const;
      return services.stores.plans.advance(plan, { ...decision, ...owing(plan, 'Plan Approved', at) });
    });
    return { statusCode: 200, body: shownPlan(approved, nowMs) };
  },
);

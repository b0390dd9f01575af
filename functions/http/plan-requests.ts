/** What the operations on the plan of a run share (§4.11). */
import { runNotFound, runOf } from './parameters.ts';
import { RequestRejected, type CompanyRequest } from './types.ts';
import type { RunPlanItem } from '../plans/plan-item.ts';
import type { PlanStore } from '../plans/store.ts';
import { quoted } from '../records/text.ts';
import type { RunItemReader } from '../runs/store.ts';

interface PlanServices {
  readonly stores: { readonly runs: Pick<RunItemReader, 'read'>; readonly plans: Pick<PlanStore, 'read'> };
}

/** The newest plan of the run in the path. @throws RequestRejected 404 `run_not_found`, `plan_not_found` */
export async function newestPlan(
  request: Pick<CompanyRequest, 'caller' | 'path'>,
  { stores: { runs, plans } }: PlanServices,
): Promise<RunPlanItem> {
  const ids = runOf(request);
  const run = await runs.read(ids);
  if (run === undefined) throw runNotFound(ids.run_id);
  const { company_id, plan_id } = run;
  const plan = plan_id === undefined ? undefined : await plans.read({ company_id, plan_id });
  if (plan !== undefined) return plan;
  throw new RequestRejected('plan_not_found', `The run ${quoted(ids.run_id)} has no plan.`);
}

/** 409: what is asked for needs a plan that waits or is approved. */
export const planClosed = (message: string): RequestRejected => new RequestRejected('plan_closed', message);

/** 409: the client saw another plan than the newest one. */
export const digestDiffers = ({ plan_digest }: Pick<RunPlanItem, 'plan_digest'>): RequestRejected =>
  new RequestRejected(
    'plan_digest_differs',
    `The newest plan of this run has the digest ${plan_digest}. Read it, then decide about that one.`,
    { field: 'plan_digest' },
  );

/** 403: the setting \`approval\` asks for a second person. Of a single import, and of a plan that is applied. */
export const approvalRequired = (): RequestRejected =>
  new RequestRejected(
    'approval_required',
    'A second person must approve what is imported. Make a plan of dry runs, let another administrator approve it, then apply it.',
  );

/** 403: the same, of a person who had a part in the plan. */
export const approvalByAnother = (): RequestRejected =>
  new RequestRejected(
    'approval_by_another',
    'You made this plan, or sent one of its dry runs. Another administrator of the company must approve it.',
  );

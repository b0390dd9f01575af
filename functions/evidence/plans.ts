/** What signed evidence says of the plans of a run (§4.10): who decided that exactly this is imported, and why. */
import { appliedBy } from '../plans/plan-item.ts';
import type { PlanStore } from '../plans/store.ts';
import type { RunIds, RunPlan } from '../shared/model.ts';

const SIGNED = [
  'plan_digest',
  'created_by',
  'approved_by',
  'approved_at',
  'comment',
  'applied_by',
  'applied_at',
] as const satisfies readonly (keyof RunPlan)[];

const signedOf = (plan: Pick<RunPlan, (typeof SIGNED)[number]>) =>
  Object.fromEntries(SIGNED.map((member) => [member, plan[member]]));

/** Of each plan that was applied or cancelled, in the order of application; and whether one is being applied. */
export async function plansOfRun(run: RunIds, { plans }: { readonly plans: Pick<PlanStore, 'appliedPlans'> }) {
  const begun = await plans.appliedPlans(run);
  const ended = begun.filter(({ status }) => status !== 'applying');
  const signed = ended.map((plan) => signedOf({ ...plan, applied_by: appliedBy(plan) }));
  return { plans: signed, isApplying: ended.length < begun.length };
}

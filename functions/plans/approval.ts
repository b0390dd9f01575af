/** Who may approve a plan, and which plan may be applied (§4.11): asked when it is approved, and again when it is applied. */
import type { Environment } from '../runtime/variables.ts';
import * as ENV from '../runtime/variables.ts';
import type { RunPlanItem } from './plan-item.ts';

/** `second`: nothing is imported without the approval of a person who neither made the plan nor sent one of its dry runs. */
export type Approval = 'none' | 'second';

/** The setting of the stack. */
export const approvalIn = (environment: Environment): Approval =>
  environment[ENV.approval] === 'second' ? 'second' : 'none';

/** Whether this user neither made the plan nor sent one of its dry runs. What a machine made is anyone's to approve. */
export const isAnother = ({ created_by, senders }: Pick<RunPlanItem, 'created_by' | 'senders'>, user_id: number) =>
  created_by !== user_id && !senders.includes(user_id);

type Approvable = Pick<RunPlanItem, 'created_by' | 'senders' | 'status' | 'approved_by'>;

/** Whether the plan has an approval that counts under this setting. One by its maker counts only where none is required. */
export function isApproved(plan: Approvable, approval: Approval): boolean {
  if (plan.status !== 'approved' || plan.approved_by === null) return false;
  return approval === 'none' || isAnother(plan, plan.approved_by);
}

/** Whether the plan may be applied under this setting. */
export const mayBeApplied = (plan: Approvable, approval: Approval): boolean =>
  approval === 'none' || isApproved(plan, approval);

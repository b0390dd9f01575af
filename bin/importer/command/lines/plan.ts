/** The plan of a run in words. */
import type { Plan } from '../../client/index.ts';
import { countLine, grouped } from '../../engine/ground/text.ts';
import { isOpenPlan } from '../../engine/run/plan-run.ts';
import { ownCommand, shortDate } from '../terminal.ts';

const many = (count: number, one: string): string => `${grouped(count)} ${count === 1 ? one : `${one}s`}`;
const by = (user_id: number | null): string => (user_id === null ? 'by a machine' : `by user ${user_id}`);

/** What the service would write, and the digest by which that is approved and applied. */
export function planLines({ run_id, counts, plan_digest }: Plan): string[] {
  return [
    `Plan of run ${run_id}: ${many(counts.total, 'record')} in ${many(counts.imports, 'import')}`,
    countLine(counts.applied, 'to be applied'),
    countLine(counts.updated, 'to be updated'),
    countLine(counts.unchanged, 'unchanged'),
    countLine(counts.failed - counts.archived, 'rejected'),
    ...(counts.archived > 0 ? [countLine(counts.archived, 'to be kept in the archive')] : []),
    `Digest ${plan_digest}`,
  ];
}

const STATES: Readonly<Record<Plan['status'], string>> = {
  waiting: 'It waits. Nothing of it is imported.',
  approved: 'It is approved. Nothing of it is imported yet.',
  applying: 'The service is applying it.',
  applied: 'It is applied.',
  cancelled: 'Its application was cancelled. What was applied by then stays.',
  withdrawn: 'It was withdrawn, or replaced by another: it cannot be applied.',
  expired: 'It has expired: it cannot be applied.',
};

/** The same, with its state, and who had a part in it. */
export function lifeLines(plan: Plan): string[] {
  const { status, created_at, created_by, approved_at, approved_by, comment, applied_at, applied_by, expires_at } =
    plan;
  const said = comment === null ? '' : `: ${comment}`;
  return [
    ...planLines(plan),
    `Made ${shortDate(created_at)} UTC ${by(created_by)}`,
    ...(approved_at === null ? [] : [`Approved ${shortDate(approved_at)} UTC ${by(approved_by)}${said}`]),
    ...(applied_at === null ? [] : [`Applied ${shortDate(applied_at)} UTC ${by(applied_by)}`]),
    STATES[status],
    ...(isOpenPlan(plan) ? [`It can be applied until ${shortDate(expires_at)} UTC: ${applyCommand(plan)}`] : []),
  ];
}

type Named = Pick<Plan, 'run_id' | 'plan_digest'>;

export const applyCommand = ({ run_id, plan_digest }: Named): string =>
  ownCommand('runs', run_id, '--apply', plan_digest);
const approveCommand = ({ run_id, plan_digest }: Named): string => ownCommand('runs', run_id, '--approve', plan_digest);

/** How the import of a plan goes on that a second person has to approve. @param url of the service */
export function approvalOf(plan: Plan, url: string) {
  const page = `${url}/#/run?id=${encodeURIComponent(plan.run_id)}`;
  return { page, approve: approveCommand(plan), apply: applyCommand(plan), until: plan.expires_at };
}

/** The same in words. */
export function approvalLines({ run_id, created_by }: Plan, approval: ReturnType<typeof approvalOf>): string[] {
  return [
    `Nothing is imported yet: a second person has to approve the plan of run ${run_id}.`,
    `An administrator of the company can who neither made it (it was made ${by(created_by)}) nor sent its dry runs, until ${shortDate(approval.until)} UTC:`,
    `  on the page ${approval.page}`,
    `  or with ${approval.approve}`,
    'Then apply it on that page, or run this command again, or:',
    `  ${approval.apply}`,
  ];
}

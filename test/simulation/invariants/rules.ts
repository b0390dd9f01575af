/** What rules about plans, whatever dies: the setting `approval`, the quota of the hour, and what expires. */
import { importIdForKey } from '../../../functions/imports/idempotency-key.ts';
import { isAnother, type Approval } from '../../../functions/plans/approval.ts';
import type { RunPlanItem } from '../../../functions/plans/plan-item.ts';
import { EPOCH_MS } from '../simulation.ts';
import { settingAt, type PlannedApplication, type Workload } from '../workload.ts';
import { COMPANY } from '../world.ts';
import type { Finished, FinishedImport } from './finished.ts';

/** An invocation keeps the setting that it began with, as long as it lives; and its clock may be ahead. */
const LIVES_MS = 40_000;

export async function checkRules(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const { workload, services, stack } = run;
  for (const planned of workload.plans?.applied ?? []) {
    const plan = await services.stores.plans.read({ company_id: COMPANY, plan_id: planned.plan_id });
    if (plan !== undefined) checkBeginning(run, planned, plan);
  }
  checkSingle(run, imports);
  checkReport(run, imports);
  const spent = sum(
    [...run.simulation.table.items()].filter(({ pk }) => String(pk).includes('#quota#')),
    'imports',
  );
  if (spent < imports.length) stack.history.violate(`${imports.length} imports were accepted, and ${spent} counted`);
}

const sum = (items: readonly Readonly<Record<string, unknown>>[], name: string): number =>
  items.reduce((all, item) => all + Number(item[name] ?? 0), 0);

/** Whether some moment in the life of an invocation had the setting. */
const mayHaveBeen = (workload: Workload, approval: Approval, atMs: number): boolean => {
  const ms = atMs - EPOCH_MS;
  const turns = (workload.plans?.settings ?? []).map(([fromMs]) => fromMs);
  const moments = [ms - LIVES_MS, ms, ...turns.filter((turn) => turn > ms - LIVES_MS && turn < ms)];
  return moments.some((moment) => settingAt(workload, moment) === approval);
};

function checkBeginning(
  { workload, stack }: Finished,
  { expiresMs = Infinity, cancelsMs }: PlannedApplication,
  plan: RunPlanItem,
) {
  if (plan.applied_at === null) return;
  const violate = (what: string) => stack.history.violate(`plan ${plan.plan_id}: ${what}`);
  const isCancelled = cancelsMs !== undefined || workload.plans?.gone !== undefined;
  if (plan.status === 'cancelled' && !isCancelled) violate('nobody cancelled it');
  const beganMs = Date.parse(plan.applied_at);
  if (!isApproved(plan) && !mayHaveBeen(workload, 'none', beganMs)) violate('nobody else approved it');
  if (beganMs >= Date.parse(plan.created_at) + expiresMs) violate('it had expired');
}

/** By somebody else than its maker, who sent its dry runs. */
const isApproved = ({ approved_by }: RunPlanItem): boolean =>
  approved_by !== null && isAnother({ created_by: 1, senders: [1] }, approved_by);

/** An import that is sent needs no approval by another only where the setting asks for none. */
function checkSingle({ workload, stack }: Finished, imports: readonly FinishedImport[]): void {
  const { commits } = stack.history;
  for (const { item } of imports) {
    const at = commits.get(item.import_id)?.at ?? 0;
    if (item.dry_run || item.planned_by !== undefined || mayHaveBeen(workload, 'none', at)) continue;
    stack.history.violate(`import ${item.import_id} was accepted without an approval`);
  }
}

/** No import is made of a dry run whose report was gone before. */
function checkReport({ workload, stack }: Finished, imports: readonly FinishedImport[]): void {
  const [goneMs = Infinity, key = ''] = workload.plans?.gone ?? [];
  const made = imports.filter(({ item }) => item.planned_by === importIdForKey(COMPANY, key));
  const late = made.filter(
    ({ item }) => (stack.history.commits.get(item.import_id)?.at ?? 0) > EPOCH_MS + goneMs + LIVES_MS,
  );
  for (const { item } of late) stack.history.violate(`${item.import_id} is of a report that was gone`);
}

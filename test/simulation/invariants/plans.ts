/** The plans of a run: each ends, each of its dry runs is one import in their order, and only what was planned is stored. */
import { contentHash } from '../../../functions/runtime/content-hash.ts';
import type { RunPlanItem } from '../../../functions/plans/plan-item.ts';
import { plannedImportId } from '../../../functions/records/expected.ts';
import type { ImportItem, PlannedRecord, RecordResult } from '../../../functions/shared/model.ts';
import type { Written } from '../history.ts';
import { COMPANY } from '../world.ts';
import type { Finished, FinishedImport } from './finished.ts';

export async function checkPlans(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const { workload, services, stack } = run;
  const { applied = [] } = workload.plans ?? {};
  const known = applied.map(({ plan_id }) => plan_id);
  for (const { item } of imports) {
    const isOfPlan = known.includes(item.import_id.slice(0, 13));
    if (item.planned_by !== undefined && !isOfPlan) stack.history.violate(`${item.import_id} is of no plan`);
  }
  for (const plan_id of known) {
    const plan = await services.stores.plans.read({ company_id: COMPANY, plan_id });
    if (plan !== undefined) await checkPlan(run, plan, imports);
  }
}

async function checkPlan(run: Finished, plan: RunPlanItem, imports: readonly FinishedImport[]): Promise<void> {
  const { history } = run.stack;
  const violate = (what: string) => history.violate(`plan ${plan.plan_id}: ${what}`);
  if (plan.applied_at === null) return;
  if (plan.phase !== 'done') return violate(`never ended: ${plan.phase}`);
  const own = Array.from({ length: plan.counts.imports }, (_, place) =>
    imports.find(({ item }) => item.import_id === plannedImportId(plan.plan_id, place)),
  );
  const made = own.filter((one) => one !== undefined);
  checkOrder(plan, own, violate);
  checkEnd(run, plan, made, violate);
  const ids = await run.services.stores.plans.listedFrom(plan, 0, Math.max(1, plan.counts.imports));
  for (const [place, one] of own.entries()) {
    if (one === undefined) continue;
    if (one.item.planned_by !== ids[place]) violate(`the import of place ${place} is of another dry run`);
    await checkImport(run, one, violate);
  }
}

type Violate = (what: string) => void;

function checkOrder(plan: RunPlanItem, own: readonly (FinishedImport | undefined)[], violate: Violate): void {
  const gap = own.indexOf(undefined);
  if (gap !== -1 && own.slice(gap).some((one) => one !== undefined)) violate('an import was left out');
  if (plan.status === 'applied' && gap !== -1) violate(`it is applied without the import of place ${gap}`);
  const times = own.flatMap((one) => one?.item.created_at ?? []);
  if (times.some((time, at) => at > 0 && time <= (times[at - 1] ?? ''))) violate(`accepted at ${times.join(', ')}`);
}

function checkEnd({ stack }: Finished, plan: RunPlanItem, own: readonly FinishedImport[], violate: Violate): void {
  if (plan.cancelled_at !== null && plan.status !== 'cancelled') violate(`it was cancelled, and is ${plan.status}`);
  const end = stack.history.applied.get(plan.plan_id)?.order ?? Infinity;
  const { commits, terminals } = stack.history;
  for (const { item } of own) {
    if (!isUntil(end, commits.get(item.import_id))) violate(`${item.import_id} was accepted after its end`);
    if (!isUntil(end, terminals.get(item.import_id))) violate(`it ended before ${item.import_id}`);
  }
  // A run without a real import is not shown yet.
  if (own.length > 0) checkNotice(stack, plan, end, violate);
}

const isUntil = (end: number, written: Written<ImportItem> | undefined): boolean =>
  written !== undefined && written.order <= end;

function checkNotice({ history }: Finished['stack'], plan: RunPlanItem, end: number, violate: Violate): void {
  const event_id = contentHash(['Run Ended', COMPANY, plan.run_id, plan.plan_id].join('\n'));
  const told = history.events.filter(({ what }) => what.event_id === event_id);
  if (told.length === 0) violate('nobody was told of its end');
  if (told.some(({ order }) => order < end)) violate('its end was told before it could be read');
}

async function checkImport(run: Finished, { item, results }: FinishedImport, violate: Violate): Promise<void> {
  const { services, stack, workload } = run;
  const dryRun = await services.stores.imports.read({ company_id: COMPANY, import_id: item.planned_by ?? '' });
  const report = dryRun && (await services.stores.imports.readPlans(dryRun, [...dryRun.chunks.keys()]));
  const planned = report?.flatMap((chunk) => chunk?.planned ?? []) ?? [];
  for (const [index, result] of results.entries()) {
    const before = planned[index];
    const violated = (what: string): void => violate(`record ${index} of ${item.import_id} ${what}`);
    if (before === undefined) continue;
    checkRecord(before, result, workload.plans?.isAlone === true, violated);
    checkWritten(stack.history, item, before, result, violated);
  }
}

function checkRecord(before: PlannedRecord, result: RecordResult, isAlone: boolean, violate: Violate): void {
  const codes = new Set(result.errors.map(({ error_code }) => error_code));
  if (before.result.erased === true && result.erased !== true) violate('is of a person who was erased');
  if (result.erased === true) return;
  const isRejected = before.write === undefined && !codes.has('import_cancelled');
  if (isRejected && !isSame(before.result, result)) violate(`was rejected, and is ${result.status} now`);
  if (isAlone && codes.has('plan_changed')) violate('is plan_changed, and nothing changed');
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is stored for a record is what it was planned to store; dates that default to acceptance aside. */
function checkWritten(
  history: Finished['stack']['history'],
  { import_id }: ImportItem,
  { write }: PlannedRecord,
  { index }: RecordResult,
  violate: Violate,
): void {
  const stored = history.contributions.get(`${import_id}#${index}`)?.what;
  if (stored === undefined) return;
  const pair = write && `${write.user_id}/${write.platform_course_id}`;
  if (pair !== stored.pair) return violate(`was stored for ${stored.pair}, not ${pair}`);
  const content = ({
    completion_pct,
    approved_course,
    classes,
    completed_at,
    defaulted,
  }: NonNullable<typeof write>['contribution']) => [
    completion_pct,
    approved_course,
    classes.map((each) => each.platform_class_id),
    defaulted.includes('completed_at') || completed_at,
  ];
  const [then, now] = [write && content(write.contribution), content(stored)];
  if (!isSame(then, now)) violate(`stored ${JSON.stringify(now)}, not ${JSON.stringify(then)}`);
}

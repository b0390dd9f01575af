/** The plan of a run at the terminal: it is approved by its digest, applied, and followed to its end. */
import type { MigrationClient, Plan, Run } from '../client/index.ts';
import { applyPlan } from '../engine/run/plan-run.ts';
import { countLine } from '../engine/ground/text.ts';
import { EXIT, UsageError } from './errors.ts';
import { approvalLines, approvalOf, lifeLines, planLines } from './lines/plan.ts';
import { type Display, Meter, type OutageNotice, whileMetered } from './progress.ts';
import { explained, hasCode } from './session/session.ts';
import { type Output, ownCommand, printResult, refusalOf } from './terminal.ts';

export interface View {
  readonly display: Display;
  readonly outage: OutageNotice;
}

const shownBy = (run_id: string): string => `"${ownCommand('runs', run_id)}" shows it.`;
const noSuchRun = (run_id: string): string => `There is no run ${run_id}. "runs" lists the runs of this company.`;

/** A call on a run. @throws UsageError if there is no such run */
export const ofRun = <T>(run_id: string, call: Promise<T>): Promise<T> =>
  explained(call, { run_not_found: noSuchRun(run_id) });

/** The words for a plan that cannot be approved or applied as it was seen. */
const refusals = (run_id: string) => ({
  plan_digest_differs: `The plan of run ${run_id} was replaced by another one meanwhile. Nothing is done. ${shownBy(run_id)}`,
  plan_closed: `The plan of run ${run_id} is being applied, was withdrawn or cancelled, or has expired. Nothing is done. ${shownBy(run_id)}`,
  plan_not_found: `Run ${run_id} has no plan. "import" makes one.`,
  run_not_found: noSuchRun(run_id),
  approval_by_another: `You made the plan of run ${run_id}, or sent one of its dry runs. Another administrator of the company has to approve it.`,
});

/**
 * Has the service apply the plan, and follows it to its end. `undefined` if a second person has to approve it first.
 *
 * @throws UsageError if it is no longer the plan of the run
 */
export async function appliedRun(client: MigrationClient, plan: Plan, view: View): Promise<Run | undefined> {
  const { run_id, counts } = plan;
  const say = (): void =>
    view.display.note(`The service imports run ${run_id}, and goes on if this command ends. ${shownBy(run_id)}`);
  try {
    return await whileMetered(view, { process: new Meter('importing', counts.total) }, (onProgress) =>
      explained(applyPlan(client, plan, onProgress, say), refusals(run_id)),
    );
  } catch (error) {
    if (hasCode(error, 'approval_required')) return undefined;
    throw error;
  }
}

/** The plan waits for a second person: who that may be, and how it goes on. @param url of the service */
export function showApproval(plan: Plan, url: string, output: Output): number {
  const approval = approvalOf(plan, url);
  printResult(output, { run_id: plan.run_id, plan, approval }, approvalLines(plan, approval));
  return EXIT.approval;
}

/** The newest plan of a run. @throws UsageError if there is none, or it has another digest */
async function planWith(client: MigrationClient, run_id: string, plan_digest: string): Promise<Plan> {
  const plan = await explained(client.getPlan(run_id), refusals(run_id));
  if (plan.plan_digest === plan_digest) return plan;
  throw new UsageError(`The newest plan of run ${run_id} has another digest. Nothing is done. ${shownBy(run_id)}`);
}

interface Asked {
  readonly run_id: string;
  readonly plan_digest: string;
  readonly yes?: boolean | undefined;
  readonly comment?: string | undefined;
}

/** `runs RUN --approve DIGEST` */
export async function approveRun(client: MigrationClient, asked: Asked, output: Output): Promise<number> {
  const { run_id, plan_digest, comment } = asked;
  const plan = await planWith(client, run_id, plan_digest);
  const stopped = await confirmed(plan, asked, output, `Approve this plan of run ${run_id}?`, 'Nothing approved');
  if (stopped !== undefined) return stopped;
  const body = { plan_digest, ...(comment !== undefined && { comment }) };
  const approved = await explained(client.approvePlan(run_id, body), refusals(run_id));
  printResult(output, approved, lifeLines(approved));
  return EXIT.allApplied;
}

/** `runs RUN --apply DIGEST`: from then on the service goes on alone, and this command follows it. */
export async function applyRun(
  client: MigrationClient,
  asked: Asked,
  { output, url, ...view }: View & { readonly output: Output; readonly url: string },
): Promise<number> {
  const { run_id, plan_digest } = asked;
  const plan = await planWith(client, run_id, plan_digest);
  const isBegun = plan.status === 'applying' || plan.status === 'applied';
  const stopped = isBegun
    ? undefined
    : await confirmed(plan, asked, output, `Import what this plan of run ${run_id} says?`, 'Nothing imported');
  if (stopped !== undefined) return stopped;
  const run = await appliedRun(client, plan, view);
  if (run === undefined) return showApproval(plan, url, output);
  const { succeeded, failed } = run.counts;
  printResult(output, run, [
    ...(run.plan === null ? [] : lifeLines(run.plan)),
    `Run ${run_id}`,
    countLine(succeeded, 'succeeded'),
    countLine(failed, 'rejected'),
    `To take all of it back: ${ownCommand('runs', run_id, '--revert')}`,
  ]);
  return failed === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function confirmed(
  plan: Plan,
  { yes }: Asked,
  output: Output,
  question: string,
  nothing: string,
): Promise<number | undefined> {
  for (const line of planLines(plan)) output.note(line);
  if (yes === true) return undefined;
  return refusalOf(output, question, { nothing, unasked: 'Use --yes.', code: EXIT.allApplied });
}

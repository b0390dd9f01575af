/** What the operations on a plan do: it is made by the stores, and approved, applied and replaced by the code of a release. */
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { instant } from '../../functions/records/instants.ts';
import { operationRequest, withBody } from '../kit/api-event.ts';
import type { Services } from '../kit/services.ts';
import { waitingPlan } from '../plans/plans.ts';
import type { Build } from './services.ts';
import type { PlannedApplication } from './workload.ts';
import { COMPANY } from './world.ts';

const { plan_digest } = waitingPlan('');
const idsOf = ({ plan_id }: PlannedApplication) => ({ company_id: COMPANY, plan_id });

/** Makes it of the dry runs that exist. It may be there already. */
export async function makePlanned(planned: PlannedApplication, services: Services): Promise<void> {
  const { plan_id, run_id, keys, expiresMs } = planned;
  const { imports, plans } = services.stores;
  if ((await plans.read(idsOf(planned))) !== undefined) return;
  const nowMs = services.clock.nowMs();
  const run = { company_id: COMPANY, run_id };
  const found = await imports.readAll(COMPANY, idsOfKeys(keys));
  const former = await plans.newest(run);
  if (former?.status === 'applying') throw new Error('Another plan is applied.');
  const created_at = instant(nowMs);
  await imports.putRun(run, { created_at, by: 1, dry_run: true });
  const waiting = waitingPlan(plan_id);
  const expires = expiresMs === undefined ? {} : { expires_at: instant(nowMs + expiresMs) };
  const plan = { ...waiting, run_id, created_at, ...expires, counts: { ...waiting.counts, imports: found.length } };
  const listed = found.map(({ import_id }) => import_id);
  if (!(await plans.make(plan, listed, former))) throw new Error('The run changed meanwhile.');
}

/** Makes it unless another request does, since two never share an id, and applies it. It is asked again until it can be applied, or never can. */
export async function makeAndApply(
  planned: PlannedApplication,
  services: Services,
  { applyPlan }: Pick<Build, 'applyPlan'>,
): Promise<void> {
  if (planned.appliesMs === undefined) await makePlanned(planned, services);
  const plan = await services.stores.plans.read(idsOf(planned));
  if (plan === undefined) throw new Error('There is no plan.');
  const { approval } = services;
  const applied = await applyPlan(plan, { plan_digest, by: 1, approval }, services);
  if (applied === 'unapproved') throw new Error('Somebody else has to approve it.');
}

/** It is too late, or somebody else has to: that is an answer, too. */
export async function approve(
  { run_id, approves }: PlannedApplication,
  services: Services,
  { approvePlan, RequestRejected }: Pick<Build, 'approvePlan' | 'RequestRejected'>,
): Promise<void> {
  const { user_id = 0 } = approves ?? {};
  const caller = { user: { user_id } } as never;
  const path = { company_id: COMPANY, run_id };
  const request = operationRequest({ caller, ...withBody({ plan_digest }) });
  const answer = approvePlan({ ...request, path }, services);
  await answer.catch((error: unknown) => {
    const isAnswer = error instanceof RequestRejected && error.problem.error_code !== 'plan_not_found';
    if (!isAnswer) throw error;
  });
}

/** A newer plan of the same dry runs, by another administrator. Nobody applies it. */
export async function replacePlan(
  { run_id, keys }: PlannedApplication,
  services: Services,
  { makePlan }: Pick<Build, 'makePlan'>,
): Promise<void> {
  const run = { company_id: COMPANY, run_id };
  const found = await services.stores.imports.readAll(COMPANY, idsOfKeys(keys));
  await makePlan(run, { import_ids: found.map(({ import_id }) => import_id), by: 2 }, services);
}

const idsOfKeys = (keys: readonly string[]): string[] => keys.map((key) => importIdForKey(COMPANY, key));

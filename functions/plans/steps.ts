/**
 * The steps of an application (§4.11): each dry run of the plan becomes one import of the run, in their order. One invocation at a
 * time takes steps, and only it accepts imports of the plan. Their ids follow from the plan and the place: what a step did before
 * its invocation died is found by the next one.
 */
import type { QuotaStore } from '../auth/quotas.ts';
import type { Keeping } from '../imports/import-item.ts';
import { cancelImport } from '../imports/cancel.ts';
import type { ChunkText } from '../imports/chunk-store.ts';
import { chunkMessages } from '../imports/lifecycle.ts';
import type { ImportServices } from '../imports/services.ts';
import { owing, sendOwed, type Notices } from '../jobs/owed.ts';
import { TURN_OVER, fenceMs, takeSteps, type StepTools } from '../jobs/steps.ts';
import type { ApplicationWork, Message } from '../jobs/work.ts';
import { plannedImportId } from '../records/expected.ts';
import { instant } from '../records/instants.ts';
import { inParallel } from '../runtime/batching.ts';
import { QuotaExceeded } from '../runtime/faults.ts';
import { PROCESSOR_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, ImportPosition, Instant } from '../shared/model.ts';
import { commitPlanned, stagePlanned, type PlannedDryRun } from './accept-planned.ts';
import type { PlanPhase, RunPlanItem } from './plan-item.ts';
import type { ApplicationStore } from './store.ts';

export type ApplyingServices = Omit<ImportServices<'imports'>, 'stores'> &
  Keeping & {
    readonly stores: Pick<ImportServices<'imports' | 'jobs'>['stores'], 'imports' | 'jobs'> & {
      readonly plans: ApplicationStore;
      readonly quotas: QuotaStore;
    };
  };

const SECOND = 1_000;
/** Dry runs that one step applies: they are copied at once, and accepted one after the other. */
const APPLIED_IN_A_STEP = 8;
/** Imports of a plan that are open at once: what a table of 4,000 writes a second does in less time than an import is due in. */
export const MOST_OPEN = 200;
/** Imports that one step looks at in the end. */
const LOOKED_AT_IN_A_STEP = 100;
const CANCELLED_AT_ONCE = 8;
const LONGEST_WAIT_MS = 15 * SECOND;
const FENCE_MS = fenceMs(PROCESSOR_TIMEOUT_SECONDS);

/** Brings an application forward as far as it can. The rest is sent as a message, or left to the watchdog. */
export async function continueApplication(
  message: Message<ApplicationWork>,
  services: ApplyingServices,
): Promise<void> {
  const { plans } = services.stores;
  const invocation: Invocation = { waitMs: Math.min(LONGEST_WAIT_MS, 2 ** message.hops * SECOND) };
  const step = (plan: RunPlanItem, tools: StepTools<RunPlanItem>) =>
    STEPS[plan.phase](plan, services, { ...tools, invocation });
  const state = await plans.read(message);
  if (state === undefined || !isUnderWay(state)) return;
  const options = { state, step, advance: plans.advance, fenceMs: FENCE_MS, isSentEveryMinute: true } as const;
  await takeSteps(message, options, services);
}

const isUnderWay = ({ phase }: RunPlanItem): boolean => phase === 'applying' || phase === 'ending';

interface WatchingServices extends Pick<ApplyingServices, 'queue'> {
  readonly notices: Notices;
  readonly stores: { readonly plans: Pick<ApplicationStore, 'read' | 'settle'> };
}

/** Sends what the plan owes; and its application every minute until it is done. Its turn keeps two invocations apart. */
export async function watchApplication(
  { kind, company_id, plan_id }: ApplicationWork,
  { queue, notices, stores: { plans } }: WatchingServices,
): Promise<undefined> {
  const plan = await plans.read({ company_id, plan_id });
  if (plan === undefined) return;
  if (isUnderWay(plan)) await queue.send([{ kind, company_id, plan_id, hops: 0 }]);
  const settle = (told: RunPlanItem) => plans.settle(told, isUnderWay(told));
  await sendOwed(plan, { run: plan, of: plan_id }, { notices, settle });
}

/** What the steps of one invocation know of each other: nobody else accepts imports of the plan meanwhile. */
interface Invocation {
  /** How long to wait for imports: longer with each message of a chain. */
  readonly waitMs: number;
  /** How many more imports may be accepted until those that are open are counted again. */
  space?: number;
}

type Tools = StepTools<RunPlanItem> & { readonly invocation: Invocation };
type StepOf = (plan: RunPlanItem, services: ApplyingServices, tools: Tools) => Promise<RunPlanItem | undefined>;

const STEPS: Readonly<Record<PlanPhase, StepOf>> = {
  idle: async () => undefined,

  async applying(plan, services, tools) {
    const { stores } = services;
    const { move, invocation } = tools;
    if (plan.cancelled_at !== null) {
      await cancelOpen(await openOf(plan, stores), services);
      return move(plan, { phase: 'ending', next: 0 });
    }
    if (plan.next >= plan.counts.imports) return move(plan, { phase: 'ending', next: 0 });
    // Also where the gate lets chunks pass: a report that an erasure has not visited yet must not be copied.
    if ((await stores.jobs.readGate(plan.company_id)).by !== undefined) return waits(plan, tools);
    invocation.space ??= MOST_OPEN - (await openOf(plan, stores)).length;
    if (invocation.space <= 0) return move(plan, untilLooked(services, invocation));
    return applyNext(plan, services, tools);
  },

  /** Goes through all of its imports, and waits for each that is open. A place without an import is behind the last one. */
  async ending(plan, services, { move, invocation }) {
    const { stores, clock, telemetry } = services;
    const ids = placesOf(plan, plan.next, plan.next + LOOKED_AT_IN_A_STEP);
    const items = await stores.imports.readAll(plan.company_id, ids);
    const open = items.filter(isOpen);
    const left = plan.cancelled_at === null ? open : await cancelOpen(open, services);
    if (left.length > 0) return move(plan, untilLooked(services, invocation));
    if (items.length === LOOKED_AT_IN_A_STEP) return move(plan, { next: plan.next + LOOKED_AT_IN_A_STEP });
    const status = plan.cancelled_at === null ? 'applied' : 'cancelled';
    const { company_id, plan_id, run_id, applied_at } = plan;
    const owed = owing(plan, 'Run Ended', instant(clock.nowMs()));
    const done = await stores.plans.advance(plan, { phase: 'done', status, ...owed, ...TURN_OVER });
    const duration_ms = clock.nowMs() - Date.parse(applied_at ?? '');
    if (done !== undefined) telemetry.info('A plan has ended.', { company_id, plan_id, run_id, status, duration_ms });
    return undefined;
  },

  done: async () => undefined,
};

/** Ends the turn. The watchdog continues the application. */
async function waits(plan: RunPlanItem, { move }: Tools, change: Partial<RunPlanItem> = {}): Promise<undefined> {
  await move(plan, { ...change, ...TURN_OVER });
  return undefined;
}

const untilLooked = ({ clock }: ApplyingServices, { waitMs }: Invocation) => ({
  until: instant(clock.nowMs() + waitMs),
});

/** Accepts the next imports, sends their chunks, and stores how far it came. */
async function applyNext(
  plan: RunPlanItem,
  services: ApplyingServices,
  tools: Tools,
): Promise<RunPlanItem | undefined> {
  const { clock, stores, queue, telemetry } = services;
  const { invocation } = tools;
  const most = Math.min(APPLIED_IN_A_STEP, invocation.space ?? 0, plan.counts.imports - plan.next);
  const waitSeconds = await secondsUntilQuota(plan, most, services);
  if (waitSeconds > 0) return waits(plan, tools, { due_at: instant(clock.nowMs() + waitSeconds * SECOND) });
  const ready = await stagedFrom(plan, most, services);
  const accepted = await acceptReady(plan, ready, services);
  const cancelled = await cancelledSince(plan, stores);
  if (cancelled !== undefined) return leavesOpen(cancelled, services);
  await queue.send(accepted.filter(isOpen).flatMap((item) => chunkMessages(item)));
  telemetry.count('ImportsAccepted', accepted.length);
  invocation.space = (invocation.space ?? 0) - accepted.length;
  const isGone = ready.length < most;
  if (isGone) telemetry.error('A report of a dry run is gone. Its plan ends as cancelled.', undefined, idsOf(plan));
  const ended = isGone ? { cancelled_at: instant(clock.nowMs()) } : {};
  const last = accepted.at(-1);
  const after = last === undefined ? plan.after : { created_at: last.created_at, import_id: last.import_id };
  return tools.move(plan, { next: plan.next + accepted.length, after, ...ended });
}

/** Accepts these dry runs one after the other, until a cancel comes. Where none is accepted, the run stays a draft. */
async function acceptReady(
  plan: RunPlanItem,
  ready: readonly Ready[],
  services: ApplyingServices,
): Promise<ImportItem[]> {
  const { clock, stores, retentionDays, archiveYears } = services;
  if (plan.applied_by === null) throw new Error('Nobody applied this plan.');
  const made = { created_at: instant(clock.nowMs()), by: plan.applied_by };
  const accepted: ImportItem[] = [];
  for (const { planned, staged } of ready) {
    if ((await cancelledSince(plan, stores)) !== undefined) break;
    if (accepted.length === 0) await stores.imports.putRun(plan, { ...made, dry_run: false });
    const created_at = timeAfter(accepted.at(-1) ?? plan.after, services);
    accepted.push(await commitPlanned(planned, staged, { created_at, retentionDays, archiveYears }, stores));
  }
  return accepted;
}

/** The plan as it is now, if a cancel came since the step began. */
async function cancelledSince(plan: RunPlanItem, { plans }: ApplyingServices['stores']) {
  const stored = await plans.read(plan);
  return stored?.cancelled_at === null ? undefined : stored;
}

/** Ends the turn without its step and without chunks. The next driver cancels what is open, and need not wait for this one. */
async function leavesOpen(cancelled: RunPlanItem, { queue, stores }: ApplyingServices): Promise<undefined> {
  const { company_id, plan_id } = cancelled;
  const isReleased = (await stores.plans.advance(cancelled, TURN_OVER)) !== undefined;
  if (isReleased) await queue.send([{ kind: 'application', company_id, plan_id, hops: 0 }]);
  return undefined;
}

const idsOf = ({ company_id, plan_id, run_id }: RunPlanItem) => ({ company_id, plan_id, run_id });

/** Counts these imports towards the quota of the hour. 0 if it was not used up, else the seconds until the next hour. */
async function secondsUntilQuota(
  { company_id }: RunPlanItem,
  imports: number,
  { clock, stores }: ApplyingServices,
): Promise<number> {
  try {
    await stores.quotas.spend(company_id, { imports }, clock.nowMs());
    return 0;
  } catch (error) {
    if (error instanceof QuotaExceeded) return error.retryAfterSeconds;
    throw error;
  }
}

interface Ready {
  readonly planned: PlannedDryRun;
  readonly staged: readonly ChunkText[];
}

/** Copies the next dry runs, in their order, up to the first one whose report is gone. */
async function stagedFrom(plan: RunPlanItem, most: number, { clock, stores }: ApplyingServices): Promise<Ready[]> {
  const { imports, plans } = stores;
  const ids = await plans.listedFrom(plan, plan.next, most);
  const found = await imports.readAll(plan.company_id, ids);
  const dryRuns = ids.map((id) => found.find(({ import_id }) => import_id === id));
  const copies = await inParallel([...dryRuns.entries()], APPLIED_IN_A_STEP, async ([at, dryRun]) => {
    const planned = dryRun && { plan, place: plan.next + at, dryRun };
    const staged = planned && (await stagePlanned(planned, stores, clock.nowMs()));
    return staged && planned && { planned, staged };
  });
  const gone = copies.indexOf(undefined);
  return copies.slice(0, gone === -1 ? copies.length : gone).filter((copy) => copy !== undefined);
}

/** Its imports grow in `created_at`, although the clocks of two invocations may disagree. */
function timeAfter(after: ImportPosition | undefined, { clock }: ApplyingServices): Instant {
  const earliestMs = after === undefined ? 0 : Date.parse(after.created_at) + 1;
  return instant(Math.max(clock.nowMs(), earliestMs));
}

/** The ids of its imports from this place on, before `end`. */
function placesOf({ plan_id, counts }: RunPlanItem, from: number, end: number): string[] {
  const first = Math.max(0, from);
  const length = Math.max(0, Math.min(end, counts.imports) - first);
  return Array.from({ length }, (_, at) => plannedImportId(plan_id, first + at));
}

const isOpen = ({ status }: ImportItem): boolean => status === 'processing';

/** The open ones of its last imports, including those that a driver accepted and died before it stored them. */
async function openOf(plan: RunPlanItem, { imports }: ApplyingServices['stores']): Promise<ImportItem[]> {
  const { next } = plan;
  const items = await imports.readAll(plan.company_id, placesOf(plan, next - MOST_OPEN, next + APPLIED_IN_A_STEP));
  return items.filter(isOpen);
}

/** Cancels these imports. Returns those that are still open, because a chunk of them had started. */
async function cancelOpen(items: readonly ImportItem[], services: ApplyingServices): Promise<ImportItem[]> {
  return (await inParallel(items, CANCELLED_AT_ONCE, (item) => cancelImport(item, services))).filter(isOpen);
}

/** One run: a workload, its faults, and whether every promise was kept. */
import type { EveryStore } from '../kit/services.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import type { Attributes, MemoryTable } from '../kit/memory-table/memory-table.ts';
import { servicesOver, type Services } from '../kit/world.ts';
import { ANN, ERASE, ERASE_FACT, NATIVE, registerPerson } from '../erasure/person.ts';
import { importPartition } from '../../functions/dynamodb/table.ts';
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { checkRun } from './invariants/check-run.ts';
import { checkPerson, othersIn } from './invariants/erasure.ts';
import type { Finished } from './invariants/finished.ts';
import { writeHistory } from './earlier-imports.ts';
import { type Fault, type FaultSource, type Step, scripted } from './faults.ts';
import { EPOCH_MS, Simulation } from './simulation.ts';
import type { Answer } from './history.ts';
import { approve, makeAndApply, makePlanned, replacePlan } from './plan-operations.ts';
import { Stack, type Variant } from './stack.ts';
import type { PlannedApplication, Workload } from './workload.ts';
import { COMPANY, createWorld, registerUsers } from './world.ts';

export interface RunOptions {
  readonly seed: number;
  readonly workload: Workload;
  readonly faults: FaultSource;
  readonly variant?: Variant;
  readonly record?: boolean;
  /** Leaves out the check at the end, which sends everything again. */
  readonly isUnchecked?: true;
}

export interface RunResult {
  readonly violations: readonly string[];
  readonly steps: readonly Step[];
  readonly suffered: readonly Fault[];
  readonly trace: readonly string[];
  readonly traceHash: string;
  readonly terminalMs: readonly number[];
  readonly abandoned: number;
  readonly sent: number;
  readonly responses: readonly Answer[];
}

const HOUR = 3_600_000;
const LATEST_MS = 240 * HOUR;

/** Without faults and without virtual time. */
function instantServices(table: MemoryTable, nowMs: () => number) {
  const queue = { send: async () => {}, postpone: async () => undefined };
  return servicesOver({ client: memoryClient(table), clock: { nowMs }, queue });
}

/** The platform's data, with the mappings of users an hour old. */
async function makeWorld(simulation: Simulation, services: Services, isErased: boolean): Promise<void> {
  simulation.nowMs = EPOCH_MS - HOUR;
  await registerUsers(services.stores);
  if (isErased) await registerPerson(services);
  simulation.nowMs = EPOCH_MS;
  await createWorld(services.stores);
}

export async function deployed(options: RunOptions) {
  const { seed, workload, faults, variant } = options;
  const bounded =
    workload.erasure !== undefined ||
    workload.plans !== undefined ||
    workload.runReverts !== undefined ||
    workload.reads !== undefined ||
    workload.imports.some(({ revertsMs }) => revertsMs !== undefined);
  const simulation = new Simulation({ seed, faults, bounded, record: options.record ?? false });
  const stack = new Stack(simulation, workload, variant);
  const services = instantServices(simulation.table, () => simulation.nowMs);
  const { stores } = services;
  await asPlatform(stack, () => makeWorld(simulation, services, workload.erasure !== undefined));
  if (workload.history !== undefined) await writeHistory(workload.history, stores);
  watchOpenImports(simulation, stack);
  return { simulation, stack, workload, services };
}

export const toRest = ({ simulation }: Finished): Promise<void> => simulation.run(EPOCH_MS + LATEST_MS);

export async function simulate(options: RunOptions): Promise<RunResult> {
  const run = await deployed(options);
  const { simulation, stack, workload, services } = run;
  const { history } = stack;
  schedule(simulation, stack, workload, services.stores);
  scheduleErasure(run);
  try {
    await toRest(run);
    if (options.isUnchecked !== true) await checkRun(run);
  } catch (error) {
    history.violate(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const terminalMs = [...history.terminals.values()].flatMap(({ at, what }) => {
    const commit = history.commits.get(what.import_id);
    return commit === undefined || what.dry_run ? [] : [at - commit.at];
  });
  return {
    violations: history.violations,
    steps: simulation.steps,
    suffered: simulation.suffered,
    trace: simulation.trace,
    traceHash: simulation.traceHash,
    terminalMs,
    abandoned: [...history.terminals.values()].filter(({ what }) => what.closing_at !== undefined).length,
    sent: stack.queue.sent,
    responses: history.responses,
  };
}

async function asPlatform(stack: Stack, change: () => Promise<void>): Promise<void> {
  stack.history.isPlatform = true;
  await change();
  stack.history.isPlatform = false;
}

function watchOpenImports(simulation: Simulation, stack: Stack): void {
  const seen = simulation.table.onWrite;
  simulation.table.onWrite = (key, before, after) => {
    seen(key, before, after);
    const due = after?.['open_pk'] === undefined ? undefined : (after['due_at'] as string | undefined);
    if (due !== undefined) stack.expectWatchdog(Date.parse(due));
  };
}

function schedule(simulation: Simulation, stack: Stack, workload: Workload, stores: EveryStore): void {
  for (const request of workload.imports) {
    for (let racer = 0; racer < request.racing; racer += 1) simulation.after(request.atMs, () => stack.send(request));
    for (const ms of request.replaysMs) simulation.after(request.atMs + ms, () => stack.send(request));
    for (const ms of request.cancelsMs ?? []) simulation.after(request.atMs + ms, () => stack.cancel(request.key));
    if (request.intruderMs !== undefined) {
      const intruder = { ...request, records: [...request.records, null] };
      simulation.after(request.atMs + request.intruderMs, () => stack.send(intruder));
    }
  }
  scheduleReverts(simulation, stack, workload);
  schedulePlans(simulation, stack, workload);
  scheduleReads(simulation, stack, workload);
  for (const [atMs, change] of workload.changes) {
    simulation.after(atMs, () => {
      simulation.note('the platform changes');
      simulation.touch();
      void asPlatform(stack, () => change(stores));
    });
  }
  if (workload.restartMs !== undefined) simulation.after(workload.restartMs, () => stack.restart());
}

function scheduleReverts(simulation: Simulation, stack: Stack, { imports, runReverts = [] }: Workload): void {
  for (const { atMs, key = '', revertsMs = [] } of imports) {
    for (const ms of revertsMs) simulation.after(atMs + ms, () => stack.revert({ key }));
  }
  for (const [atMs, run_id] of runReverts) simulation.after(atMs, () => stack.revert({ run_id }));
}

function scheduleReads(simulation: Simulation, stack: Stack, { reads = [] }: Workload): void {
  for (const [atMs, run_id] of reads) simulation.after(atMs, () => void stack.readRun(run_id));
}

function schedulePlans(simulation: Simulation, stack: Stack, { plans }: Workload): void {
  for (const planned of plans?.applied ?? []) schedulePlan(simulation, stack, planned);
  const [goneMs, key = ''] = plans?.gone ?? [];
  if (goneMs !== undefined) simulation.after(goneMs, () => expireReport(simulation, key));
}

function schedulePlan(simulation: Simulation, stack: Stack, planned: PlannedApplication): void {
  const { atMs, appliesMs, approves, newerMs, cancelsMs } = planned;
  const later = (ms: number | undefined, act: () => void) => ms !== undefined && simulation.after(atMs + ms, act);
  later(appliesMs && 0, () => stack.decide('plan', (services) => makePlanned(planned, services)));
  later(appliesMs ?? 0, () => stack.decide('apply', (services, build) => makeAndApply(planned, services, build)));
  later(approves?.ms, () => stack.decide('approve', (services, build) => approve(planned, services, build)));
  later(newerMs, () => stack.decide('replace', (services, build) => replacePlan(planned, services, build)));
  later(cancelsMs, () => stack.cancelPlan(planned));
}

/** The table deletes it by its time to live. */
function expireReport({ table }: Simulation, key: string): void {
  const partition = importPartition({ company_id: COMPANY, import_id: importIdForKey(COMPANY, key) });
  const isReport = ({ pk, sk }: Attributes) => pk === partition && String(sk).startsWith('report#');
  for (const { sk } of Array.from(table.items()).filter(isReport))
    table.write({ pk: partition, sk: String(sk) }, undefined);
}

/** The erasing fact, what is sent beside it, and a copy of what others have at that moment. */
function scheduleErasure(run: Finished): void {
  const { simulation, stack, workload } = run;
  if (workload.erasure === undefined) return;
  const { atMs, deletedMs, beside } = workload.erasure;
  const seen = simulation.table.onWrite;
  simulation.table.onWrite = (key, was, is) => {
    seen(key, was, is);
    if (key.pk.includes('#erasure#') && is === undefined) simulation.after(0, () => checkPerson(run));
  };
  const told = {
    progress: { ...NATIVE, version: 12, completion_pct: 80 },
    deleted: { ...ERASE, version: 10, erase: false, deleted: true },
  };
  if (deletedMs !== undefined) simulation.after(deletedMs, () => stack.tell([told.deleted]));
  for (const [ms, sent] of beside)
    simulation.after(ms, () => {
      if (sent === 'progress') stack.tell([told.progress]);
      else stack.register({ external_user_id: 'ext-planted-2', email: ANN });
    });
  simulation.after(atMs, () => {
    simulation.touch();
    void othersIn(run).then((others) => (stack.history.others = others));
    stack.tell([ERASE_FACT]);
  });
}

/** The run with the faults that it needs: each without which it still breaks a promise is left out. */
export async function shrunk(options: RunOptions, { suffered }: Pick<RunResult, 'suffered'>): Promise<RunResult> {
  const withFaults = (faults: readonly Fault[]) => simulate({ ...options, faults: scripted(faults), record: true });
  let result = await withFaults(suffered);
  for (let tried = 0; tried < result.suffered.length;) {
    const fewer = await withFaults(result.suffered.filter((_, position) => position !== tried));
    if (fewer.violations.length === 0) tried += 1;
    else [result, tried] = [fewer, 0];
  }
  return result;
}

/** Histories of the real code that fit the specification: three imports of two chunks of one record each. */
import { importIdForKey } from '../../../functions/imports/idempotency-key.ts';
import { STEP_DUE_MS } from '../../../functions/jobs/steps.ts';
import { Dice } from '../../kit/dice.ts';
import { randomFaults, scripted, type Fault, type FaultSource, type Step } from '../../simulation/faults.ts';
import { faultsOfPlanPutFirst } from '../../simulation/revert-schedules.ts';
import { simulate } from '../../simulation/run.ts';
import type { Effect } from '../../simulation/services.ts';
import { EPOCH_MS } from '../../simulation/simulation.ts';
import type { Variant } from '../../simulation/stack.ts';
import type { Answer } from '../../simulation/history.ts';
import type { Workload } from '../../simulation/workload.ts';
import { plannedImportId } from '../../../functions/records/expected.ts';
import { dryRunOf } from './surroundings-recorder.ts';
import { withExtra, type Sent, type SentRecord } from './extras.ts';
import { COMPANY } from '../../simulation/world.ts';
import { Recorder, sentAs } from './recorder.ts';
import type { Event } from './seen.ts';
import { EMAILS, ERASED_EMAIL } from './spoken-state.ts';

export const IMPORTS = ['A', 'B', 'C'] as const;

export interface TracedHistory {
  readonly seed: number;
  /** By chunk. `at`: the place of its import in the order of acceptance. */
  readonly records: Readonly<Record<string, SentRecord & { readonly at: number }>>;
  readonly events: readonly Event[];
}

/** Records, chunks and messages come one by one, without changes of the platform. */
const ONE_BY_ONE = { changes: [], chunkRecords: 1, backlogMs: 0, settledPairs: false, messagesAtOnce: 1 } as const;

/** In the specification a batch is read at one moment, and written so where the protocol depends on it. */
const LEFT_OUT = new Set(['kill midway', 'stale read']);
const isStaging = ({ who, writes, parts }: Step): boolean => who === 'accept' && writes && parts > 1;

/** Whether the specification has the fault at such a step. */
function isSpecified({ kind }: Fault, step: Step): boolean {
  if (kind === 'partly unprocessed') return step.parts === 1 || isStaging(step);
  return !LEFT_OUT.has(kind);
}

function faultsOf(seed: number, { imports, erasure }: Workload): FaultSource {
  // The place of an import that replaces is its moment: the specification has one clock for all acceptances.
  const hasOneClock = imports.some(({ replace }) => replace === true);
  // An erasure begins when most imports have ended, and takes longer.
  const random = erasure === undefined ? randomFaults(seed, 8, 90) : randomFaults(seed, 16, 300);
  let isStaged = !new Dice(seed, 15).chance(0.1);
  return {
    at(step, what) {
      if (!isStaged && isStaging(what)) {
        isStaged = true;
        return { step, kind: 'partly unprocessed', amount: 0 };
      }
      const fault = random.at(step, what);
      if (fault === undefined || !isSpecified(fault, what)) return undefined;
      return hasOneClock && what.who === 'accept' && fault.kind === 'clock jump' ? undefined : fault;
    },
  };
}

/** In these, imports are made of dry runs, by the application of a plan. */
const PLANNED = 7;
const isPlanned = (seed: number): boolean => seed % MET_EVERY === PLANNED;
const PLANNED_MS = 100_000;
/** The imports of the plan, in its order. Histories that are checked together have the same ones. */
const OF_PLAN = [['B', 'C'], ['A', 'B', 'C'], ['C']] as const;
export const plannedIn = (seed: number): readonly string[] =>
  isPlanned(seed) ? (OF_PLAN[Math.floor(seed / 100) % OF_PLAN.length] ?? []) : [];

/** Imports of the plan are not sent: their dry runs are, and a plan of them is applied, and often cancelled. Others may be reverted then. */
function withPlan(seed: number, { workload, records }: Sent): Sent {
  const dice = new Dice(seed, 24);
  const ofPlan = plannedIn(seed);
  const imports = workload.imports.map(({ run_id: _, revertsMs: __, ...planned }) => {
    const { cancelsMs: ___, key = '', ...dryRun } = planned;
    if (ofPlan.includes(key))
      return { ...dryRun, key: dryRunOf(key), dry_run: true, atMs: dice.pick([0, 3_000]), run_id: RUN };
    const atMs = dice.pick([0, 2_000, 70_000]);
    const revertedMs = PLANNED_MS + dice.pick([-30_000, -25_000, -10_000, -1_000, 0, 300]);
    return dice.chance(0.6)
      ? { ...planned, atMs, revertsMs: [revertedMs - atMs] }
      : { ...planned, atMs: dice.pick([atMs, PLANNED_MS, PLANNED_MS + 500]) };
  });
  const cancels = dice.chance(0.4) && { cancelsMs: dice.pick([50, 150, 300, 600, 1_500, 30_000]) };
  const planned = { plan_id: PLAN_ID, run_id: RUN, keys: ofPlan.map((i) => dryRunOf(i)), atMs: PLANNED_MS, ...cancels };
  return { workload: { ...workload, imports, runReverts: [], plans: { isAlone: false, applied: [planned] } }, records };
}

const RUN = 'run';
const PLAN_ID = 'a000000000001';

function erasureOf(seed: number): Workload['erasure'] {
  const dice = new Dice(seed, 12);
  if (seed % MET_EVERY === COPY) return { atMs: 50, beside: [] };
  if (isPlanned(seed) || isMeeting(seed) || !dice.chance(0.35)) return undefined;
  return { atMs: dice.pick([60, 150, 500, 3_000, 20_000, 80_000]), beside: [] };
}

function replacingIn(seed: number): (name: string) => boolean {
  const dice = new Dice(seed, 16);
  const replacing =
    isPlanned(seed) || isMeeting(seed) || dice.chance(0.6) ? [] : IMPORTS.filter(() => dice.chance(0.5));
  return (name) => replacing.some((each) => each === name);
}

/** Imports that meet each other. Some are cancelled; in some histories the queue soon loses all deliveries. */
function workloadOf(seed: number): Sent {
  const dice = new Dice(seed, 9);
  const records: Record<string, SentRecord> = {};
  const isReverted = dice.chance(0.5);
  const isRun = isReverted && dice.chance(0.5);
  const erasure = erasureOf(seed);
  const isReplacing = replacingIn(seed);
  const imports = IMPORTS.map((name, at) => ({
    atMs: at === 0 ? 0 : dice.pick([0, 20, 200, 1_000, 70_000]),
    dry_run: false,
    key: name,
    racing: 1,
    replaysMs: [],
    ...(isReplacing(name) && { replace: true }),
    ...(dice.chance(0.2) && { cancelsMs: [dice.pick([20, 60, 120, 300])] }),
    ...(isReverted && dice.chance(0.5) && { revertsMs: [dice.pick([500, 3_000, 20_000, 70_000])] }),
    ...(isRun && dice.chance(0.7) && { run_id: 'run' }),
    records: [0, 1].map((index) => {
      const pair = pairOf(seed, index, dice.chance(0.75) ? 'p' : 'q');
      const content = dice.pick([40, 40, 80]);
      records[`${name}${index}`] = { pair, content, replaces: isReplacing(name) };
      return {
        external_record_id: `r-${index}`,
        user: { email: erasure !== undefined && pair === 'p' ? ERASED_EMAIL : EMAILS[pair] },
        content: { type: 'course', platform_course_id: 101 },
        progress: { completion_pct: content },
      };
    }),
  }));
  const workload = {
    imports,
    ...ONE_BY_ONE,
    ...(erasure && { erasure }),
    // Makes the run bounded: no invocation outlives its time-out.
    runReverts: isRun ? [[dice.pick([5_000, 60_000]), 'run'] as const] : [],
    ...(dice.chance(0.3) && {
      delivers: dice.between(1, 6),
      // A revert, an erasure or a plan is never abandoned, so the loss must end.
      ...((isReverted || erasure !== undefined || isPlanned(seed)) && { losesUntilMs: dice.pick([60_000, 600_000]) }),
    }),
  };
  return withMore(seed, { workload, records }, isReverted);
}

function withMore(seed: number, sent: Sent, isReverted: boolean): Sent {
  if (isPlanned(seed)) return withPlan(seed, sent);
  const isAlone = !isReverted && sent.workload.erasure === undefined && !isMeeting(seed);
  return isAlone ? withExtra(seed, sent) : sent;
}

/** A dry run foresees that another learner has the id, which the specification leaves to the claim: so here each has one. */
const pairOf = (seed: number, index: number, drawn: 'p' | 'q'): 'p' | 'q' =>
  isPlanned(seed) ? (index === 0 ? 'p' : 'q') : drawn;

/** One in so many histories meets each of these. */
const MET_EVERY = 20;
/** An import claims an id that is marked as abandoned. */
const MARK = MET_EVERY - 1;
/** A plan is put first by another delivery. */
const PLAN = MET_EVERY / 2;
/** A cancelling call copies a payload while an erasure visits the import. */
const COPY = MET_EVERY / 4;
const isMeeting = (seed: number): boolean => [MARK, PLAN, COPY].includes(seed % MET_EVERY);

export async function historyOf(seed: number, variant: Variant = {}): Promise<TracedHistory> {
  const { workload, records, remapped = '' } = workloadOf(seed);
  const ofPlan = plannedIn(seed);
  const idOf = (name: string) =>
    ofPlan.includes(name) ? plannedImportId(PLAN_ID, ofPlan.indexOf(name)) : importIdForKey(COMPANY, name);
  const names = new Map(IMPORTS.map((name) => [idOf(name), name]));
  const recorder = new Recorder(names);
  const met = await metIn(seed, workload);
  const seen: Variant = { ...variant, onEffect: recorder.see, onEvent: recorder.seeEvent };
  const { responses } = await simulate({ seed, ...met, variant: seen, isUnchecked: true });
  const events = recorder.events();
  return {
    seed,
    records: placed(records, events, idOf),
    events: [...withRemaps(events.slice(0, -1), remapped), ...accepting(responses, names), ...events.slice(-1)],
  };
}

/** In the order of `created_at`, then `import_id`; last, what was never accepted. */
function placed(
  records: Readonly<Record<string, SentRecord>>,
  events: readonly Event[],
  idOf: (name: string) => string,
): TracedHistory['records'] {
  const accepted = new Map(
    events.flatMap((event) =>
      event.a === 'Accept' || event.a === 'CommitNext' ? [[event['i'], JSON.stringify(event['at'])] as const] : [],
    ),
  );
  const placeOf = (i: string) => `${accepted.get(i) ?? '9'} ${idOf(i)}`;
  const order = IMPORTS.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).map(String);
  return Object.fromEntries(
    Object.entries(records).map(([c, record]) => [c, { ...record, at: order.indexOf(c.slice(0, 1)) + 1 }]),
  );
}

/** Puts a change of mappings before the acceptance of the import that it concerns. */
function withRemaps(events: readonly Event[], i: string): Event[] {
  const at = events.findIndex((event) => event.a === 'Accept' && event['i'] === i);
  if (at < 0) return [...events];
  const remaps = [0, 1].map((chunk): Event => ({ a: 'Remap', c: `${i}${chunk}`, gone: [] }));
  return [...events.slice(0, at), ...remaps, ...events.slice(at)];
}

/** The accepting responses. They may come last, because what a key is bound to never changes. */
function accepting(responses: readonly Answer[], names: ReadonlyMap<string, string>): Event[] {
  return responses.flatMap(({ request, status, import_id }) => {
    const i = names.get(import_id);
    return status !== 202 || i === undefined ? [] : [{ a: 'Answer', i, sent: sentAs(request.run_id), gone: [] }];
  });
}

interface Met {
  readonly workload: Workload;
  readonly faults: FaultSource;
}

async function metIn(seed: number, workload: Workload): Promise<Met> {
  if (seed % MET_EVERY === MARK) return meetingMark(seed, workload);
  if (seed % MET_EVERY === PLAN) return meetingPlan(seed, workload);
  if (seed % MET_EVERY === COPY) return meetingCopy(seed, workload);
  return { workload, faults: faultsOf(seed, workload) };
}

const HOUR_MS = 3_600_000;
const LATER_MS = 60 * HOUR_MS;
/** The longest that a bounded invocation survives. */
const STALL_MS = 180_000;

/** The first import is reverted. A chunk of the second, cancelled one finds the gate closed, and a plan put first. */
async function meetingPlan(seed: number, { imports }: Workload): Promise<Met> {
  const dice = new Dice(seed, 11);
  const times = [
    { atMs: 0, revertsMs: [20_000] },
    { atMs: dice.between(19_000, 19_950), cancelsMs: [4_000] },
  ];
  const workload: Workload = {
    imports: imports.map(({ cancelsMs: _, revertsMs: __, run_id: ___, ...planned }, at) => ({
      ...planned,
      ...(times[at] ?? { atMs: LATER_MS }),
    })),
    ...ONE_BY_ONE,
    runReverts: [],
  };
  return { workload, faults: await faultsOfPlanPutFirst({ seed, workload }, IMPORTS[1]) };
}

/**
 * A late chunk's import is cancelled just before an erasure visits it. The cancelling call stalls between the payload
 * that it reads and the plan that it puts, so that the plan comes after the visit.
 */
async function meetingCopy(seed: number, { imports, erasure }: Workload): Promise<Met> {
  const dice = new Dice(seed, 13);
  const workloadWith = (cancelsMs: readonly number[]): Workload => ({
    imports: imports.map(({ cancelsMs: _, revertsMs: __, run_id: ___, ...planned }, at) => ({
      ...planned,
      atMs: at === 0 ? 0 : LATER_MS,
      ...(at === 0 && { cancelsMs }),
    })),
    ...ONE_BY_ONE,
    ...(erasure && { erasure }),
    runReverts: [],
  });
  const run = async (cancelsMs: readonly number[], faults: readonly Fault[], onEffect?: (effect: Effect) => void) =>
    simulate({
      seed,
      workload: workloadWith(cancelsMs),
      faults: scripted(faults),
      ...(onEffect && { variant: { onEffect } }),
      isUnchecked: true,
    });
  const { steps } = await run([], []);
  const late: Fault = {
    step: steps.findIndex(({ delivery }) => delivery),
    kind: 'message delayed',
    amount: 3 * HOUR_MS,
  };
  let visitsMs = 0;
  await run([], [late], ({ key, after }) => {
    if (key.sk !== 'erasure' || after?.['phase'] !== 'erasing') return;
    visitsMs ||= Date.parse(String(after['due_at'])) - STEP_DUE_MS - EPOCH_MS;
  });
  const cancelsMs = [visitsMs - dice.between(500, 15_000)];
  const met = await run(cancelsMs, [late]);
  const writes = [...met.steps.entries()].flatMap(([at, { who, writes: isWrite }]) =>
    who === 'cancel' && isWrite ? [at] : [],
  );
  const stall: Fault = { step: writes[dice.pick([1, 1, 1, 0, 2])] ?? 0, kind: 'stall before', amount: STALL_MS };
  return { workload: workloadWith(cancelsMs), faults: scripted([late, stall]) };
}

/** The first import dies after its claim, and is abandoned a day later. The second comes while the id is marked. */
async function meetingMark(seed: number, { imports }: Workload): Promise<Met> {
  const dice = new Dice(seed, 10);
  const workloadAt = (atMs: number, losesUntilMs: number): Workload => ({
    imports: imports.map(({ cancelsMs: _, revertsMs: __, ...planned }, at) => ({
      ...planned,
      atMs: [0, atMs][at] ?? LATER_MS,
    })),
    ...ONE_BY_ONE,
    runReverts: [],
    delivers: 1,
    losesUntilMs,
  });
  const alone = workloadAt(LATER_MS, LATER_MS);
  const { steps } = await simulate({ seed, workload: alone, faults: scripted([]) });
  const [, claim = 0] = [...steps.entries()].flatMap(([at, { who, writes }]) =>
    who === 'process' && writes ? [at] : [],
  );
  const faults = scripted([{ step: claim, kind: 'kill after', amount: 0 }]);
  let markedMs = 0;
  const onEffect = ({ after }: Effect): void => {
    const marked = after?.['unused_at'];
    if (typeof marked === 'string') markedMs ||= Date.parse(marked) - EPOCH_MS;
  };
  await simulate({ seed, workload: alone, faults, variant: { onEffect } });
  return { workload: workloadAt(markedMs + dice.between(100, 55_000), markedMs), faults };
}

/** Schedules in which a revert must wait for invocations: stalled, repeated and late ones. */
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { scripted, type Fault, type FaultSource } from './faults.ts';
import { simulate, type RunOptions, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';
import type { PlannedImport, Workload } from './workload.ts';
import { COMPANY } from './world.ts';

const record = {
  external_record_id: 'r-1',
  user: { email: 'ann@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};
const once = { dry_run: false, racing: 1, replaysMs: [], records: [record] };

/** The first import is reverted; another one sends the same record at this moment. */
function meeting(revertsMs: number, atMs: number): Workload {
  const imports: PlannedImport[] = [
    { ...once, atMs: 0, key: 'key-0', revertsMs: [revertsMs] },
    { ...once, atMs, key: 'key-1' },
  ];
  return { imports, changes: [], chunkRecords: 1, backlogMs: 0, settledPairs: true };
}

/** The first import alone, so that nothing hides what a late delivery of it writes. */
const ALONE: Workload = { ...meeting(5_000, 0), imports: meeting(5_000, 0).imports.slice(0, 1) };

/** Just before the gate closes; just before contributions are removed; while the import waits at the gate. */
const MEETINGS = [
  meeting(20_000, 19_700),
  ...[29_600, 29_900, 30_100, 30_300].map((atMs) => meeting(5_000, atMs)),
  meeting(5_000, 25_000),
  ALONE,
];

/** Each meeting alone, with each stall, and with each message delivered twice and a stall after it. */
export async function* revertSchedules(variant: Variant = {}): AsyncGenerator<RunResult> {
  for (const workload of MEETINGS) {
    const run = (faults: readonly Fault[]) => simulate({ seed: 1, workload, faults: scripted(faults), variant });
    const clean = await run([]);
    yield clean;
    for (const stall of stallsOf(clean)) yield await run([stall]);
    const deliveries = [...clean.steps.entries()].filter(([, { delivery }]) => delivery);
    for (const [step] of deliveries) {
      const twice = { step, kind: 'message duplicated', amount: 0 } as const;
      const stalls = stallsOf(await run([twice])).filter((stall) => stall.step > step);
      for (const stall of stalls) yield await run([twice, stall]);
    }
  }
}

/**
 * An import of a run waits while the run is reverted. Each write of the processor dies once, so that the revert may
 * not be done when it is requested again.
 */
export async function* secondRequests(variant: Variant = {}): AsyncGenerator<RunResult> {
  const { imports, ...rest } = meeting(5_000, 6_000);
  const workload: Workload = {
    ...rest,
    imports: imports.map(({ revertsMs: _, ...planned }) => ({ ...planned, run_id: 'run' })),
    runReverts: [
      [5_000, 'run'],
      [45_000, 'run'],
    ],
  };
  const run = (faults: readonly Fault[]) => simulate({ seed: 1, workload, faults: scripted(faults), variant });
  const clean = await run([]);
  yield clean;
  for (const { step } of stallsOf(clean)) yield await run([{ step, kind: 'kill before', amount: 0 }]);
}

/** With this seed the first put arrives after the second delivery has begun. */
const PUT_LATE_SEED = 8;
const PUT_FIRST_MS = [19_400, 19_500, 19_600, 19_700, 19_800];
/** The second delivery begins before the plan is put, and lasts until the fence ends. */
const LATER_MS = 13_800;

/**
 * A second delivery of a cancelled import's chunk finds the gate closed, and the plan that the first one puts as it
 * dies. The second one then works until after the fence.
 */
export async function* plansPutFirst(variant: Variant = {}): AsyncGenerator<RunResult> {
  for (const atMs of PUT_FIRST_MS) {
    const { imports, ...rest } = meeting(20_000, atMs);
    const workload = {
      ...rest,
      imports: imports.map((planned) => (planned.key === 'key-1' ? { ...planned, cancelsMs: [4_000] } : planned)),
    };
    const faults = await faultsOfPlanPutFirst({ seed: PUT_LATE_SEED, workload, variant }, 'key-1');
    yield await simulate({ seed: PUT_LATE_SEED, workload, faults, variant, record: true });
  }
}

/** The faults that cause this for the first chunk of the cancelled import with this key. */
export async function faultsOfPlanPutFirst(options: Omit<RunOptions, 'faults'>, key: string): Promise<FaultSource> {
  const import_id = importIdForKey(COMPANY, key);
  const faults: Fault[] = [];
  const stepsOf = async (text: string): Promise<{ readonly step: number; readonly call: string }[]> => {
    const { trace } = await simulate({ ...options, faults: cancelDies(faults), record: true });
    return trace.flatMap((line) => {
      const [, step, call = ''] = /^\d+ (\d+) (.*)$/.exec(line) ?? [];
      return call.includes(text) && !call.startsWith('cancel') ? [{ step: Number(step), call }] : [];
    });
  };
  const meet = async (text: string, at: number, fault: Pick<Fault, 'kind' | 'amount'>): Promise<void> => {
    const found = (await stepsOf(text))[at];
    if (found !== undefined) faults.push({ step: found.step, ...fault });
  };
  const delivery = `queue delivers {"kind":"chunk","company_id":"${COMPANY}","import_id":"${import_id}","chunk":0`;
  const put = `Put ${COMPANY}#import#${import_id} plan#0000`;
  await meet(delivery, 0, { kind: 'message duplicated', amount: 0 });
  const [first] = await stepsOf(put);
  const invocation = first?.call.split(' ', 2).join(' ') ?? '';
  // In chronological order: a fault changes only what comes after it.
  await meet(`${invocation} BatchGet ${COMPANY}#learner#`, 0, { kind: 'stall before', amount: 12_400 });
  await meet(delivery, 1, { kind: 'message delayed', amount: LATER_MS });
  await meet(put, 0, { kind: 'kill, effect late', amount: 0 });
  await meet(put, 1, { kind: 'stall before', amount: 11_900 });
  return cancelDies(faults);
}

/** Adds: every cancellation dies once the import is marked as cancelled. */
function cancelDies(faults: readonly Fault[]): FaultSource {
  const scripts = scripted(faults);
  let writes = 0;
  return {
    at(step, what) {
      if (what.who !== 'cancel' || !what.writes) return scripts.at(step, what);
      writes += 1;
      return writes === 1 ? undefined : { step, kind: 'kill before', amount: 0 };
    },
  };
}

/** A stall that an invocation just survives, before each write of the processor. */
function stallsOf({ steps }: RunResult): Fault[] {
  return [...steps.entries()].flatMap(([step, { who, writes }]) =>
    who === 'process' && writes ? [{ step, kind: 'stall before', amount: 180_000 }] : [],
  );
}

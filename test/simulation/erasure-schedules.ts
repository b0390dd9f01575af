/** Schedules in which an erasure must wait: for a chunk that stalls, or for a cancellation that stalls. */
import { ANN } from '../erasure/person.ts';
import { type Fault, type FaultSource, scripted, type Step } from './faults.ts';
import { type RunResult, simulate } from './run.ts';
import type { Variant } from './stack.ts';
import type { PlannedImport, Workload } from './workload.ts';

const SECOND = 1_000;
const record = {
  external_record_id: 'rec-planted',
  user: { email: ANN },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};

const meeting = (planned: Pick<PlannedImport, 'atMs' | 'cancelsMs'>): Workload => ({
  imports: [{ ...planned, dry_run: false, racing: 1, replaysMs: [], key: 'key', records: [record] }],
  changes: [],
  chunkRecords: 1,
  backlogMs: 0,
  settledPairs: false,
  erasure: { atMs: planned.atMs + 50, beside: [] },
});

/** Close together, so that in some a stalled invocation meets the watchdog or the end of a fence. */
const moments = (fromMs: number, untilMs: number, everyMs: number): number[] =>
  Array.from({ length: (untilMs - fromMs) / everyMs }, (_, at) => fromMs + at * everyMs);

type Meets = (steps: readonly Step[]) => Fault;

interface Schedule {
  readonly workload: Workload;
  readonly who: 'process' | 'cancel';
  /** Faults before the stall. Each is chosen by the steps of the run with the earlier ones. */
  readonly meets?: readonly Meets[];
  /** How many deliveries of the chunk come hours later, after the cancellation. */
  readonly late?: number;
}

const writesOf = (who: string, steps: readonly Step[]): number[] =>
  [...steps.entries()].flatMap(([at, step]) => (step.writes && step.who === who ? [at] : []));

/** The chunk dies once its plan is stored. */
const dies: Meets = (steps) => ({ step: writesOf('process', steps)[1] ?? 0, kind: 'kill before', amount: 0 });

const comesLate =
  (n: number, amount: number): Meets =>
  (steps) => ({
    step: [...steps.entries()].filter(([, { delivery }]) => delivery)[n]?.[0] ?? 0,
    kind: 'message delayed',
    amount,
  });

/** A chunk that begins before the gate closes; one whose plan is older; a cancellation before a late chunk. */
const SCHEDULES: readonly Schedule[] = [
  ...moments(0, 60 * SECOND, 6 * SECOND).map((atMs) => ({ who: 'process' as const, workload: meeting({ atMs }) })),
  { who: 'process', workload: meeting({ atMs: SECOND }), meets: [dies, comesLate(1, 62 * SECOND)] },
  ...moments(85 * SECOND, 125 * SECOND, SECOND / 2).map((ms) => ({
    who: 'cancel' as const,
    workload: meeting({ atMs: 10 * SECOND, cancelsMs: [ms] }),
    // It is sent again when chunks pass the gate.
    late: 4,
  })),
];

function withLateChunks(scriptedFaults: FaultSource, late: number): FaultSource {
  let left = late;
  return {
    at(step, what) {
      const fault = scriptedFaults.at(step, what);
      if (fault !== undefined || left === 0 || what.body?.includes('"chunk"') !== true) return fault;
      left -= 1;
      return { step, kind: 'message delayed', amount: 10_800 * SECOND };
    },
  };
}

/** Each schedule alone, and with a stall that an invocation just survives before each of its first writes. */
export async function* erasureSchedules(variant: Variant = {}): AsyncGenerator<RunResult> {
  for (const { who, workload, meets = [], late = 0 } of SCHEDULES) {
    const run = (faults: readonly Fault[]) =>
      simulate({ seed: 1, workload, faults: withLateChunks(scripted(faults), late), variant });
    const faults: Fault[] = [];
    let met = await run(faults);
    for (const meet of meets) {
      faults.push(meet(met.steps));
      met = await run(faults);
    }
    yield met;
    for (const step of writesOf(who, met.steps).slice(0, MOST_WRITES))
      yield await run([...faults, { step, kind: 'stall before', amount: 180 * SECOND }]);
  }
}

/** Enough for all writes of the chunk or the cancellation, and some steps of the erasure. */
const MOST_WRITES = 8;

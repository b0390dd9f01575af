/** Schedules in which an erasure meets what it has to wait for: a chunk that stalls, and a cancellation that does. */
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

/** One import of the person, who is erased a moment later. */
const meeting = (planned: Pick<PlannedImport, 'atMs' | 'cancelsMs'>): Workload => ({
  imports: [{ ...planned, dry_run: false, racing: 1, replaysMs: [], key: 'key', records: [record] }],
  changes: [],
  chunkRecords: 1,
  backlogMs: 0,
  settledPairs: false,
  erasure: { atMs: planned.atMs + 50, beside: [] },
});

/** So close to each other that in some of them an invocation that stalls meets the watchdog, or the end of a fence. */
const moments = (fromMs: number, untilMs: number, everyMs: number): number[] =>
  Array.from({ length: (untilMs - fromMs) / everyMs }, (_, at) => fromMs + at * everyMs);

type Meets = (steps: readonly Step[]) => Fault;

interface Schedule {
  readonly workload: Workload;
  /** Whose writes stall. */
  readonly who: 'process' | 'cancel';
  /** Faults before that, one after the other, each by the steps of the run with those before it. */
  readonly meets?: readonly Meets[];
  /** So many deliveries of the chunk come hours later: the cancellation comes before them. */
  readonly late?: number;
}

const writesOf = (who: string, steps: readonly Step[]): number[] =>
  [...steps.entries()].flatMap(([at, step]) => (step.writes && step.who === who ? [at] : []));

/** The chunk dies once its plan is stored. */
const dies: Meets = (steps) => ({ step: writesOf('process', steps)[1] ?? 0, kind: 'kill before', amount: 0 });

/** The n-th delivery is late. */
const comesLate =
  (n: number, amount: number): Meets =>
  (steps) => ({
    step: [...steps.entries()].filter(([, { delivery }]) => delivery)[n]?.[0] ?? 0,
    kind: 'message delayed',
    amount,
  });

/** A chunk that begins before the gate is closed; one whose plan is older; a cancellation of an import whose chunk comes later. */
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

/** Each schedule by itself, and with a stall, that an invocation just survives, before each of its first writes. */
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

/** Those of the chunk or the cancellation, and of some steps of the erasure. */
const MOST_WRITES = 8;

/** A plan that is applied while its person is erased: at each moment, with a driver that dies or stalls. */
import { type Fault, scripted } from './faults.ts';
import { AROUND_MS, meetingErasure } from './plan-workload.ts';
import { simulate, type RunResult } from './run.ts';
import type { Variant } from './stack.ts';

/** Each moment around an erasure alone; and with a driver that dies, or stalls for as long as it lives, before each of its first writes. */
export async function* planSchedules(variant: Variant = {}): AsyncGenerator<RunResult> {
  for (const afterMs of [...AROUND_MS, ...WHILE_VISITING_MS]) {
    const run = (faults: readonly Fault[]) =>
      simulate({ seed: 1, workload: meetingErasure(afterMs), faults: scripted(faults), variant });
    const met = await run([]);
    yield met;
    const writes = [...met.steps.entries()].filter(([, { who, writes: isWrite }]) => isWrite && who === 'process');
    for (const [step] of writes.slice(0, MOST_WRITES)) {
      yield await run([{ step, kind: 'kill before', amount: 0 }]);
      yield await run([{ step, kind: 'stall before', amount: STALL_MS }]);
    }
  }
}

const MOST_WRITES = 12;
const STALL_MS = 15_000;
/** Close together: an erasure is over soon once its fence has ended. */
const WHILE_VISITING_MS = Array.from({ length: 12 }, (_, at) => 45_000 + at * 5_000);

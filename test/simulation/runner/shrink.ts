/** The shortest way to the same trouble. */
import { type Fault, scripted } from '../faults.ts';
import { type RunResult, simulate } from '../run.ts';
import type { Variant } from '../stack.ts';
import { randomWorkload } from '../workload.ts';
import type { Failure } from './jobs.ts';
import { tinyWorkload } from './tiny-workloads.ts';

export function replay(
  seed: number,
  tiny: boolean,
  faults: readonly Fault[],
  variant: Variant = {},
): Promise<RunResult> {
  const workload = tiny ? tinyWorkload(seed) : randomWorkload(seed);
  return simulate({ seed, workload, faults: scripted(faults), variant, record: true });
}

export interface Shrunk {
  readonly faults: readonly Fault[];
  readonly result: RunResult;
}

/** Leaves out one fault after the other for as long as the run still breaks a promise. */
export async function shrunk({ seed, tiny, faults }: Failure, variant?: Variant): Promise<Shrunk> {
  let needed = faults;
  let result = await replay(seed, tiny, needed, variant);
  for (let tried = 0; tried < needed.length;) {
    const fewer = needed.filter((_, position) => position !== tried);
    const without = await replay(seed, tiny, fewer, variant);
    if (without.violations.length === 0) {
      tried += 1;
      continue;
    }
    [needed, result] = [fewer, without];
  }
  return { faults: needed, result };
}

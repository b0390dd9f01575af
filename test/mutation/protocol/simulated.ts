/** A few histories of the simulator, enough to reject most mutants. `simulator.ts` runs them. */
import { abandonedSchedules } from '../../simulation/abandoned-schedules.ts';
import { erasureSchedules } from '../../simulation/erasure-schedules.ts';
import { erasureWorkload } from '../../simulation/erasure-workload.ts';
import { randomFaults } from '../../simulation/faults.ts';
import { plansPutFirst, revertSchedules } from '../../simulation/revert-schedules.ts';
import { simulate, type RunResult } from '../../simulation/run.ts';
import { randomWorkload, revertWorkload } from '../../simulation/workload.ts';

async function* few(): AsyncGenerator<RunResult> {
  for (let seed = 0; seed < 12; seed += 1) {
    yield await simulate({ seed, workload: randomWorkload(seed), faults: randomFaults(seed, 10, 80) });
    yield await simulate({ seed, workload: revertWorkload(seed, 5), faults: randomFaults(seed, 10, 200) });
    yield await simulate({ seed, workload: erasureWorkload(seed), faults: randomFaults(seed, 10, 300) });
  }
  yield* abandonedSchedules();
  yield* plansPutFirst({});
}

const SCHEDULES = 150;

/** The first schedules in which a revert or an erasure meets what it has to wait for. */
async function* more(): AsyncGenerator<RunResult> {
  for (const schedules of [revertSchedules({}), erasureSchedules({})]) {
    let left = SCHEDULES;
    for await (const result of schedules) {
      yield result;
      left -= 1;
      if (left === 0) break;
    }
  }
}

/** The first violation; `undefined` if there is none. */
export async function violation(tries: 'few' | 'more'): Promise<string | undefined> {
  for await (const { violations } of tries === 'few' ? few() : more()) if (violations.length > 0) return violations[0];
  return undefined;
}

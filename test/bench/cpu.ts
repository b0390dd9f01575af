/** Processor time of an import, for the price of Lambda's time. It depends on the machine, so no test asserts it. */
import { type Engines, type World, worldOf } from './cloud.ts';
import { divertOutput } from './meter/standard-output.ts';
import { importOf, RECORDS_PER_IMPORT } from './workload.ts';

const TURNS = 4;
const WARM_UP_TURNS = 1;

/** Microseconds a record. */
export interface Cpu {
  readonly accept: number;
  readonly process: number;
}

export async function measureCpu(engines: Engines): Promise<Cpu> {
  const world = await worldOf(engines, { learners: RECORDS_PER_IMPORT, courses: TURNS + WARM_UP_TURNS });
  const restoreOutput = divertOutput(() => undefined);
  try {
    const turns: Cpu[] = [];
    for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn += 1) turns.push(await oneImport(world, turn));
    const counted = turns.slice(WARM_UP_TURNS);
    return {
      accept: median(counted.map(({ accept }) => accept)),
      process: median(counted.map((turn) => turn.process)),
    };
  } finally {
    restoreOutput();
    await world.destroy();
  }
}

async function oneImport({ operations, deliver }: World, course: number): Promise<Cpu> {
  const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { courses: course });
  const accept = await cpuOf(async () => {
    const { status } = await operations.startImport({ dry_run: false, records }, `cpu-${course}`);
    if (status !== 202) throw new Error(`the import returned ${status} instead of 202`);
  });
  let processed = 0;
  await deliver(async (event) => {
    processed += await cpuOf(() => operations.process(event));
  });
  return { accept, process: processed };
}

/** Microseconds a record of an import. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RECORDS_PER_IMPORT;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

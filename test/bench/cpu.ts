/** Processor time of applying a record, this service against the baseline, in turns: only their ratio means something here. */
import type { SQSEvent } from 'aws-lambda';
import { baseline } from './baseline/baseline.ts';
import { type Engines, type World, worldOf } from './cloud.ts';
import { divertOutput } from './meter/standard-output.ts';
import { service } from './service.ts';
import { importOf, RECORDS_PER_IMPORT } from './workload.ts';

const TURNS = 4;
const WARM_UP_TURNS = 1;
const SHAPE = { learners: RECORDS_PER_IMPORT, courses: 1 };

export interface Cpu {
  readonly microseconds_per_record: { readonly service: number; readonly baseline: number };
  readonly accept_microseconds_per_record: number;
  /** The service's part of the baseline's. */
  readonly ratio: number;
}

export async function measureCpu(engines: Engines): Promise<Cpu> {
  const data = { learners: RECORDS_PER_IMPORT, courses: TURNS + WARM_UP_TURNS };
  const ours = await worldOf(engines, service, data);
  const plain = await worldOf(engines, baseline, data);
  try {
    const samples: { ours: Turn; plain: Turn }[] = [];
    for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn += 1) {
      const sample = { ours: await oneImport(ours, turn), plain: await oneImport(plain, turn) };
      if (turn >= WARM_UP_TURNS) samples.push(sample);
    }
    const perRecord = (pick: (sample: (typeof samples)[number]) => number) =>
      Math.round(median(samples.map(pick)) / RECORDS_PER_IMPORT);
    const microseconds_per_record = {
      service: perRecord((sample) => sample.ours.processUs),
      baseline: perRecord((sample) => sample.plain.processUs),
    };
    const ratio = Math.round((1000 * microseconds_per_record.service) / microseconds_per_record.baseline) / 1000;
    const accept = perRecord((sample) => sample.ours.acceptUs);
    return { microseconds_per_record, accept_microseconds_per_record: accept, ratio };
  } finally {
    await ours.destroy();
    await plain.destroy();
  }
}

interface Turn {
  readonly acceptUs: number;
  readonly processUs: number;
}

async function oneImport({ design, deliver }: World, course: number): Promise<Turn> {
  const restoreOutput = divertOutput(() => undefined);
  try {
    const records = importOf(SHAPE, { courses: course });
    const acceptUs = await cpuOf(async () => {
      const { status } = await design.startImport({ dry_run: false, records }, `cpu-${course}`);
      if (status !== 202) throw new Error(`answered ${status} instead of 202`);
    });
    let processUs = 0;
    await deliver(async (event: SQSEvent) => {
      processUs += await cpuOf(() => design.process(event));
    });
    return { acceptUs, processUs };
  } finally {
    restoreOutput();
  }
}

async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

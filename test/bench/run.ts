/**
 * `npm run bench`: everything at once, in one run: this service, the plain baseline and the floor. Prints tables and writes
 * `.build/bench.json`. `-- --full` goes to 500,000 records (about half an hour); without it growth ends at 50,000.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { builtStack } from '../../bin/local/built-stack.ts';
import { PROCESS_CHUNK } from '../../lib/function-sources.ts';
import { measureAbuse } from './abuse.ts';
import { bundleSizes, withPlainBuild } from './bundles.ts';
import { startEngines, type Engines } from './cloud.ts';
import { measureColdStarts } from './cold-start.ts';
import { costPerMillion, floor } from './cost.ts';
import { type Cpu, measureCpu } from './cpu.ts';
import { measureBaseline, measureService } from './exact.ts';
import { goalsOf } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { figuresOf, type Measured } from './scenarios.ts';
import { measureThroughput } from './throughput.ts';

const OUTPUT = resolve(import.meta.dirname, '../../.build');
const LOAD_SECONDS = 20;

const full = process.argv.includes('--full');
const log = (title: string): void => console.log(`\n== ${title}`);

async function measure(engines: Engines) {
  log('units, calls and depth: this service and the baseline');
  const measured = await measureService(engines);
  const plain = await measureBaseline(engines, ['distinct', 'shared', '100 classes']);
  const service = figuresOf(measured);
  const baseline = figuresOf(plain);
  console.table(
    Object.fromEntries(
      Object.entries(service).map(([figure, value]) => [figure, { service: value, baseline: baseline[figure] }]),
    ),
  );
  console.table(measured['distinct']?.whole.kinds);

  log('processor time per record');
  const cpu = await measureCpu(engines);
  console.log(cpu);

  log('dollars per million records');
  const cost = {
    service: costOf(engines, measured, cpu, 'service'),
    baseline: costOf(engines, plain, cpu, 'baseline'),
  };
  console.log({ ...cost, floor: floor() });

  log('bundles and cold starts');
  const bundles = await bundleSizes();
  const { cold, plainSizes } = await withPlainBuild(async (folder) => ({
    cold: await measureColdStarts(engines, { deployed: (await builtStack()).bundles, plain: folder }),
    plainSizes: await bundleSizes(folder),
  }));
  console.table(
    Object.fromEntries(
      [...bundles].map(([name, { bytes, gzip }]) => [
        name,
        {
          KB: Math.round(bytes / 1000),
          'KB gzip': Math.round(gzip / 1000),
          'KB plain': Math.round((plainSizes.get(name)?.bytes ?? 0) / 1000),
          '× empty': rounded(cold.functions.get(name)?.['deployed']?.ratio),
          '× empty, plain': rounded(cold.functions.get(name)?.['plain']?.ratio),
        },
      ]),
    ),
  );
  return { service, baseline, cost, cpu, bundles, cold };
}

/** Both designs with the memory that the stack gives its functions. */
function costOf({ memoryMb }: Engines, measured: Measured, cpu: Cpu, of: 'service' | 'baseline') {
  const distinct = measured['distinct'];
  if (distinct === undefined) throw new Error('the import of distinct learners was not measured');
  return costPerMillion({
    measured: distinct,
    memoryMb: {
      processor: memoryMb(PROCESS_CHUNK),
      start: memoryMb('start-import'),
      poll: memoryMb('get-import'),
    },
    cpu_ms_per_record: {
      accept: cpu.accept_microseconds_per_record / 1000,
      process: cpu.microseconds_per_record[of] / 1000,
    },
  });
}

const rounded = (value = Number.NaN): number => Math.round(value * 100) / 100;

const engines = await startEngines();
try {
  const measured = await measure(engines);
  log('growth');
  const growth = await measureGrowth(engines, full ? 1000 : 100);
  console.table(growth.points);
  console.log(growth.slopes);
  log('dollars an hour of abuse');
  const abuse = await measureAbuse(engines);
  console.table(abuse.parts);
  log('throughput of the local stack');
  const throughput = await measureThroughput(LOAD_SECONDS);
  console.dir(throughput, { depth: null });

  const results = { ...measured, growth, abuse };
  const goals = goalsOf(results);
  log('goals');
  console.table(goals);
  await mkdir(OUTPUT, { recursive: true });
  const file = join(OUTPUT, 'bench.json');
  const text = {
    goals,
    ...results,
    throughput,
    floor: floor(),
    bundles: Object.fromEntries(measured.bundles),
    cold: Object.fromEntries(measured.cold.functions),
  };
  await writeFile(file, `${JSON.stringify(text, null, 2)}\n`);
  console.log(`written to ${file}`);
} finally {
  await engines.stop();
}

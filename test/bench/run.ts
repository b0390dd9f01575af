/**
 * `npm run bench`: the figures of `bench:check`, and those of growth and of this machine (computing and cold starts). Prints
 * them beside their goals and fails if one that repeats exactly is missed. `-- --full` grows to 500,000 records instead of
 * 5,000, and starts each function 20 times instead of 3.
 */
import { startEngines } from './cloud.ts';
import { measureColdStarts } from './cold-start.ts';
import { costPerMillion, floor } from './cost.ts';
import { measureCpu } from './cpu.ts';
import { measureExact } from './exact.ts';
import { goalOf, missedGoals } from './goals.ts';
import { growthFigures, measureGrowth } from './growth.ts';

const full = process.argv.includes('--full');
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const entriesOf = (prefix: string, values: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...values].map(([name, value]) => [`${prefix}: ${name}`, value]));

const engines = await startEngines();
try {
  const { measured, figures } = await measureExact(engines);
  const growth = await measureGrowth(engines, full ? 1000 : 10);
  console.table(growth.points);
  const exact = { ...figures, ...growthFigures(growth) };
  const cpu = await measureCpu(engines);
  const cost = costPerMillion(measured.distinct, engines, cpu);
  console.table(cost.lines);
  console.table(cost.beside);
  const ofMachine = {
    'microseconds of computing per record: accept': cpu.accept,
    'microseconds of computing per record: process': cpu.process,
    'dollars per million records': cost.total,
    'dollars per million records, at least': floor(),
    ...entriesOf('cold start', await measureColdStarts(engines, full ? 20 : 3)),
  };
  const rows = Object.entries({ ...exact, ...ofMachine }).map(([figure, value]) => [
    figure,
    { measured: rounded(value), goal: goalOf(figure) },
  ]);
  console.table(Object.fromEntries(rows));
  const missed = missedGoals(exact);
  for (const { figure, goal, measured: is } of missed) console.error(`missed ${figure}: ${is} instead of ${goal}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await engines.stop();
}

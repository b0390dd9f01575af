/** Whether anything grows faster than the records do: totals after 1, 10, 100 and 1,000 imports, and their log–log slopes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Engines, worldOf } from './cloud.ts';
import { measureImport } from './measure-import.ts';
import { callsOf, emptyTally, readUnitsOf, sumOfTallies, writeUnitsOf, writtenBytesOf } from './meter/tally.ts';
import { importOf, RECORDS_PER_IMPORT } from './workload.ts';

const LEARNERS = 5000;
const BLOCKS = LEARNERS / RECORDS_PER_IMPORT;
const SHAPE = { learners: RECORDS_PER_IMPORT, courses: 1 };

export interface GrowthPoint {
  readonly records: number;
  readonly write_units: number;
  readonly read_units: number;
  readonly calls: number;
  readonly bytes_written: number;
  /** Of the process that runs the handlers, after garbage collection. */
  readonly heap_mb: number;
  readonly status_item_bytes: number;
}

export interface Growth {
  readonly points: readonly GrowthPoint[];
  readonly slopes: Readonly<Record<GrowingFigure, number>>;
}

type GrowingFigure = 'write_units' | 'read_units' | 'calls' | 'bytes_written';
const GROWING: readonly GrowingFigure[] = ['write_units', 'read_units', 'calls', 'bytes_written'];

export async function measureGrowth(engines: Engines, mostImports: number): Promise<Growth> {
  const world = await worldOf(engines, { learners: LEARNERS, courses: Math.ceil(mostImports / BLOCKS) + 1 });
  const collectGarbage = garbageCollector();
  try {
    // The first imports of a process pay once for connections and keys.
    for (let i = 0; i < 3; i += 1) await measureImport(world, importAt(mostImports + i));
    let total = emptyTally();
    const points: GrowthPoint[] = [];
    for (let imports = 1; imports <= mostImports; imports += 1) {
      const { whole } = await measureImport(world, importAt(imports - 1));
      total = sumOfTallies([total, whole]);
      if (!Number.isInteger(Math.log10(imports))) continue;
      collectGarbage();
      points.push({
        records: imports * RECORDS_PER_IMPORT,
        write_units: writeUnitsOf(total),
        read_units: readUnitsOf(total),
        calls: callsOf(total),
        bytes_written: writtenBytesOf(total),
        heap_mb: Math.round(process.memoryUsage().heapUsed / 1e4) / 100,
        status_item_bytes: Math.round(
          (whole.kinds['import']?.written_bytes ?? 0) / (whole.kinds['import']?.writes ?? 1),
        ),
      });
    }
    const slopes = GROWING.map((figure) => [figure, slopeOf(points, figure)] as const);
    return { points, slopes: Object.fromEntries(slopes) as Growth['slopes'] };
  } finally {
    await world.destroy();
  }
}

/** As figures of which lower is better. */
export function growthFigures({ points, slopes }: Growth): Record<string, number> {
  const heaps = points.map(({ heap_mb }) => heap_mb);
  const [least, most] = [Math.min(...heaps), Math.max(...heaps)];
  return {
    ...Object.fromEntries(
      GROWING.map((figure) => [`growth: slope of ${figure.replace('_', ' ')}, beside 1`, Math.abs(slopes[figure] - 1)]),
    ),
    'growth: heap, ± around its middle': (most - least) / (most + least),
    'growth: bytes of the status item': Math.max(...points.map(({ status_item_bytes }) => status_item_bytes)),
  };
}

const importAt = (i: number) =>
  importOf(SHAPE, { learners: (i % BLOCKS) * RECORDS_PER_IMPORT, courses: Math.floor(i / BLOCKS) });

/** Least squares through the logarithms: 1 is proportional growth. */
export function slopeOf<Figure extends string>(
  points: readonly Readonly<Record<Figure | 'records', number>>[],
  figure: Figure,
): number {
  const xs = points.map(({ records }) => Math.log(records));
  const ys = points.map((point) => Math.log(point[figure]));
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, i) => sum + (x - meanX) * ((ys[i] ?? 0) - meanY), 0);
  const variance = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return Math.round((covariance / variance) * 1e4) / 1e4;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Memory that is left after a collection is still referenced. Compiled code stays too: V8 would discard code that has not run for a
 * while, such as that which built the benchmark's table, and hide growth behind it.
 */
function garbageCollector(): () => void {
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

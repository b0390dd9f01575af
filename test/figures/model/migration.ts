/** `npm run figures -- model`: a large import. `--records N` sets its size, `--seed N` another course of events. */
import type { Settings } from '../../../lib/settings.ts';
import { Dice } from '../../kit/dice.ts';
import { planted } from '../../kit/planted.ts';
import { deploymentOf } from '../deployment.ts';
import { perRecord, readUnitsOf, writeUnitsOf } from '../imports.ts';
import {
  type FiguresRecord,
  importOf,
  loadPlatform,
  namedByIds,
  organicOf,
  RECORDS_PER_IMPORT,
  renewed,
} from '../workload.ts';
import { latencyOf } from '../world.ts';
import { CPU_US, pause } from './machines.ts';
import { LoadedStack } from './stack.ts';

export interface Migration {
  readonly seed: number;
  readonly records: number;
  readonly settings?: Pick<Settings, 'warm' | 'processors'>;
  /** Imports under way at once. */
  readonly open?: number;
  /** `the usual`: organic progress of half the records, and a tenth of them from an earlier import. */
  readonly finds?: 'nothing' | 'the usual';
}

/** Twenty courses a learner, sorted by learner, named by the ids of the old system. */
const SHAPE = { learners: 25, courses: 20 };
const OPEN = 48;
const RENEWED_EVERY = 10;
/** Start and end are not a sustained rate: an idle table lends a second of throughput, and processors start. */
const [FROM, TO] = [0.4, 0.9];

export async function migrate({ seed, records, settings = {}, open = OPEN, finds = 'nothing' }: Migration) {
  const stack = new LoadedStack(seed, deploymentOf(settings));
  const imports = Array.from({ length: Math.ceil(records / RECORDS_PER_IMPORT) }, (_, at) =>
    importOf(SHAPE, { learners: at * SHAPE.learners }),
  );
  await loadPlatform(stack.stores, { learners: imports.length * SHAPE.learners, courses: SHAPE.courses });
  if (finds === 'the usual') await loadUsual(stack, imports);
  // Mappings were registered before the minute in which chunks read them strongly.
  stack.simulation.nowMs += 60_000;
  const sent = imports.entries();
  const client = async () => {
    for (const [, each] of sent) await stack.follow(namedByIds(finds === 'the usual' ? someRenewed(each) : each));
  };
  await withSeededMachine(seed, () => stack.run(() => Promise.all(Array.from({ length: open }, client))));
  return figuresOf(stack, imports.length);
}

const isRenewed = (_: unknown, at: number): boolean => at % RENEWED_EVERY === 0;
const someRenewed = (records: readonly FiguresRecord[]): FiguresRecord[] =>
  renewed(records).map((each, at) => (isRenewed(each, at) ? each : (records[at] ?? each)));

async function loadUsual(stack: LoadedStack, imports: readonly FiguresRecord[][]): Promise<void> {
  const organic = imports.flatMap((records) => organicOf(records.filter((_, at) => at % 2 === 1)));
  await planted(stack.stores.platform).putNativeProgress(organic);
  await stack.run(async () => {
    for (const records of imports) await stack.follow(namedByIds(records.filter(isRenewed)));
    await pause(stack.simulation, 5_000);
  });
  stack.reset();
}

/** The SDK’s retries draw from the machine’s randomness. */
async function withSeededMachine<T>(seed: number, run: () => Promise<T>): Promise<T> {
  const original = Math.random;
  const dice = new Dice(seed, 3);
  Math.random = () => dice.next();
  try {
    return await run();
  } finally {
    Math.random = original;
  }
}

function figuresOf(stack: LoadedStack, sent: number) {
  const { appliedMs, database, queue, throttles, deliveries, failedDeliveries } = stack;
  const took = stack.took.toSorted((a, b) => a - b);
  const [from, to] = [FROM, TO].map((share) => appliedMs[Math.floor(share * (appliedMs.length - 1))]) as [
    number,
    number,
  ];
  return {
    records_per_second: Math.round(((TO - FROM) * appliedMs.length * 1_000) / (to - from)),
    median_s: Math.round((took[Math.floor(took.length / 2)] ?? 0) / 100) / 10,
    slowest_s: Math.round((took.at(-1) ?? 0) / 100) / 10,
    throttles,
    failed_deliveries: failedDeliveries,
    deliveries,
    dead_letters: queue.deadLetters,
    lost_imports: sent - took.length,
    write_units_per_record: perRecord(writeUnitsOf(database.counts) / sent),
    read_units_per_record: perRecord(readUnitsOf(database.counts) / sent),
  };
}

// The formula that docs/limits.md has in words.

interface Bounds {
  readonly 'writes of the table': number;
  readonly 'reads of the table': number;
  readonly processors: number;
}

/** Units of a record in the model, for an export sorted by learner, with learners named by ids of the old system. */
const UNITS = { writes: 2.13, reads: 1.31 };

const RECORDS_A_DELIVERY = 500;
/** Items a record touches: the stored record, its identity, its contribution, a fifth of a user and of a mapping. */
const ITEMS_A_RECORD = 3.4;
/** Calls of a delivery that wait for each other (`depth of a chunk` in figures.json), and one for ids of the old system. */
const CALLS = { batch: 6, single: 4 };
/** The four chunks of a delivery wait while others of them compute: this part of the waiting is left. */
const WAITING = 0.6;
/** The time between two deliveries, in which the event source polls the queue. */
const BETWEEN_MS = 15;
const LEAST_READS = 12_000;

const deliveryMs = (): number =>
  WAITING * (CALLS.batch * latencyOf('BatchGet') + CALLS.single * latencyOf('Put')) +
  (RECORDS_A_DELIVERY * ITEMS_A_RECORD * CPU_US.item) / 1_000 / deploymentOf().limitsOf('process-chunk').cpu +
  BETWEEN_MS;

const boundsOf = ({ warm, processors }: { readonly warm: number; readonly processors: number }): Bounds => ({
  'writes of the table': warm / UNITS.writes,
  'reads of the table': Math.max(LEAST_READS, warm) / UNITS.reads,
  processors: (processors * RECORDS_A_DELIVERY * 1_000) / deliveryMs(),
});

export const recordsPerSecond = (settings: { readonly warm: number; readonly processors: number }): number =>
  Math.min(...Object.values(boundsOf(settings)));

const POINTS = [
  { warm: 4_000, processors: 5, records: 40_000 },
  { warm: 12_000, processors: 2, records: 30_000 },
  { warm: 16_000, processors: 5, records: 40_000 },
  { warm: 24_000, processors: 3, records: 40_000 },
  { warm: 8_000, processors: 12, records: 40_000 },
] as const;

export async function showModel(seed: number, records: number): Promise<void> {
  const rows = [];
  for (const { records: enough, ...settings } of POINTS) {
    const [[bound] = ['']] = Object.entries(boundsOf(settings)).toSorted((a, b) => a[1] - b[1]);
    // A new table has this without the setting.
    const given = settings.warm === 4_000 ? { processors: settings.processors } : settings;
    for (const finds of ['nothing', 'the usual'] as const) {
      const figures = await migrate({ seed, records: records || enough, settings: given, finds });
      rows.push({ ...settings, finds, by_formula: Math.round(recordsPerSecond(settings)), bound, ...figures });
      console.log(JSON.stringify(rows.at(-1)));
    }
  }
}

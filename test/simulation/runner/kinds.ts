/** What the whole run tries: of each kind so many cases, of which each is a run or several. */
import { formerBuild, mixed, mixedOptions } from '../../formats/builds.ts';
import { releases } from '../../formats/frozen.ts';
import { limitChunks } from '../../kit/chunk-limits.ts';
import * as thisBuild from '../build.ts';
import { erasureWorkload } from '../erasure-workload.ts';
import { planWorkload } from '../plan-workload.ts';
import { everyFault, fewFaults, randomFaults, scripted, staleReads, type Fault } from '../faults.ts';
import { simulate, type RunOptions, type RunResult } from '../run.ts';
import { runWorkload } from '../run-workload.ts';
import type { Variant } from '../stack.ts';
import { VARIANTS } from '../variants.ts';
import {
  loneImport,
  mappedWorkload,
  randomWorkload,
  archiving,
  revertWorkload,
  TINIEST,
  TINY_SHAPES,
  tinyWorkload,
  type Workload,
} from '../workload.ts';

const MOST_FAULTS = 10;
const MINUTE = 60_000;
/** Workloads on which every step is tried with every fault, beside the tiny ones. */
const SINGLES = 12;
const PARTS_OF_PAIRS = 16;

type Runs = (at: number) => Iterable<RunOptions> | AsyncIterable<RunOptions>;

interface Kind {
  readonly count: number;
  readonly runs: Runs;
  /** The longest that an import may take. */
  readonly withinMs?: number;
  readonly neverAbandons?: true;
}

/** Faults occur within so many first steps: about as many as a run has. */
const random =
  (workloadOf: (seed: number) => Workload, horizon: number) =>
  (seed: number, variant: Variant = {}): RunOptions => ({
    seed,
    workload: workloadOf(seed),
    faults: randomFaults(seed, MOST_FAULTS, horizon),
    variant,
  });

export const RANDOM = {
  imports: random(randomWorkload, 80),
  reverts: random((seed) => archiving(revertWorkload(seed, 5), seed), 200),
  erasures: random((seed) => archiving(erasureWorkload(seed), seed), 300),
  plans: random(planWorkload, 300),
  runs: random(runWorkload, 200),
};

const once =
  (optionsOf: (seed: number) => RunOptions): Runs =>
  (seed) => [optionsOf(seed)];

const CRASH: Fault = { step: 4, kind: 'kill before', amount: 0 };

/** Without faults, and without troubles of the queue or the machine. */
const smooth =
  (change: Partial<Workload>) =>
  (seed: number): RunOptions => {
    const { outageMs: _, delivers: __, ...workload } = randomWorkload(seed);
    return { seed, workload: { ...workload, ...change }, faults: scripted([]) };
  };

export const KINDS = {
  imports: { count: 50_000, runs: once(RANDOM.imports) },
  reverts: { count: 5_000, runs: once(RANDOM.reverts) },
  erasures: { count: 2_000, runs: once(RANDOM.erasures) },
  plans: { count: 2_000, runs: once(RANDOM.plans) },
  runs: { count: 2_000, runs: once(RANDOM.runs) },
  'two releases': {
    count: 3_000,
    async *runs(seed) {
      yield mixedOptions(seed, mixed(await formerBuild(releases().at(-1) ?? ''), thisBuild));
    },
  },
  'every single fault': { count: SINGLES + TINY_SHAPES, runs: singleFaults },
  'every pair of faults': { count: TINIEST.length * PARTS_OF_PAIRS, runs: pairsOfFaults },
  // The function dies once the import is stored, before any message is sent.
  'crash in accept': {
    count: 400,
    runs: once((seed) => ({ seed, workload: loneImport, faults: scripted([CRASH]) })),
    withinMs: 2 * MINUTE,
  },
  'lost queue': { count: 400, runs: once(smooth({ delivers: 0 })), withinMs: 26 * 60 * MINUTE },
  backlog: { count: 400, runs: once(smooth({ backlogMs: 20 * 60 * MINUTE })), neverAbandons: true },
} as const satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof KINDS;

async function* singleFaults(at: number): AsyncGenerator<RunOptions> {
  const seed = at < TINY_SHAPES ? at : 7_000_000 + at;
  const workload = at < TINY_SHAPES ? tinyWorkload(at) : randomWorkload(seed);
  const clean = { seed, workload, faults: scripted([]) };
  yield clean;
  const { steps } = await simulate(clean);
  for (const fault of steps.flatMap(everyFault)) yield { ...clean, faults: scripted([fault]) };
}

/** On the tiniest workloads: a part of the first faults, each with every one after it. */
async function* pairsOfFaults(at: number): AsyncGenerator<RunOptions> {
  const seed = TINIEST[at % TINIEST.length] ?? 0;
  const runWith = (faults: readonly Fault[]) => ({ seed, workload: tinyWorkload(seed), faults: scripted(faults) });
  const after = async (faults: readonly Fault[]) => (await simulate(runWith(faults))).steps.flatMap(fewFaults);
  for (const [position, first] of (await after([])).entries()) {
    if (position % PARTS_OF_PAIRS !== Math.floor(at / TINIEST.length)) continue;
    const seconds = (await after([first])).filter(({ step }) => step > first.step);
    for (const second of seconds) yield runWith([first, second]);
  }
}

export interface Failure {
  readonly at: number;
  readonly violations: readonly string[];
  readonly options: RunOptions;
  readonly result: RunResult;
}

/** Runs these cases of a kind. */
export async function tried(name: KindName, cases: Iterable<number>) {
  const { runs, withinMs = Infinity, neverAbandons }: Kind = KINDS[name];
  const failures: Failure[] = [];
  const counts = { runs: 0, steps: 0, faults: 0, slowestMs: 0, abandoned: 0 };
  limitChunks();
  for (const at of cases) {
    for await (const options of runs(at)) {
      const result = await simulate(options);
      const slowestMs = Math.max(0, ...result.terminalMs);
      counts.runs += 1;
      counts.steps += result.steps.length;
      counts.faults += result.suffered.length;
      counts.abandoned += result.abandoned;
      counts.slowestMs = Math.max(counts.slowestMs, slowestMs);
      const violations = [...result.violations];
      if (slowestMs > withinMs) violations.push(`an import took ${slowestMs} ms`);
      if (neverAbandons === true && result.abandoned > 0) violations.push('an import was abandoned');
      if (violations.length > 0) failures.push({ at, violations, options, result });
    }
  }
  return { counts, failures };
}

/** The first seed that shows a broken variant, with its violation; `undefined` if none of 2,000 does. */
export async function caught(name: string): Promise<string | undefined> {
  const variant = VARIANTS[name] ?? {};
  for (let seed = 0; seed < 2_000; seed += 1) {
    const mapped = { seed, workload: mappedWorkload(seed), faults: staleReads, variant };
    for (const options of [RANDOM.imports(seed, variant), mapped]) {
      const [violation] = (await simulate(options)).violations;
      if (violation !== undefined) return `seed ${seed}: ${violation}`;
    }
  }
  return undefined;
}

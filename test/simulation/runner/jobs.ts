/** The kinds of work of a worker. Every job counts its runs and returns the first violations in full. */
import { formerBuild, mixed, mixedRun } from '../../formats/builds.ts';
import { releases } from '../../formats/frozen.ts';
import { limitChunks } from '../../kit/chunk-limits.ts';
import * as thisBuild from '../build.ts';
import { VARIANTS } from '../variants.ts';
import { erasureWorkload } from '../erasure-workload.ts';
import { everyFault, fewFaults, randomFaults, scripted, staleReads } from '../faults.ts';
import { type Failure, type RunOptions, type RunResult, simulate } from '../run.ts';
import type { Variant } from '../stack.ts';
import {
  mappedWorkload,
  randomWorkload,
  loneImport,
  revertWorkload,
  tinyWorkload,
  type Workload,
} from '../workload.ts';
import { brokenTriples } from '../../reference/join-laws.ts';
import { compareBatch, orderMatters } from '../../reference/laws.ts';

export const MOST_FAULTS = 10;

interface Random {
  readonly workload: (seed: number) => Workload;
  /** Faults occur within so many first steps: about as many as a run has. */
  readonly horizon: number;
}

const RANDOM = {
  random: { workload: randomWorkload, horizon: 80 },
  reverts: { workload: (seed) => revertWorkload(seed, 5), horizon: 200 },
  erasures: { workload: erasureWorkload, horizon: 300 },
} as const satisfies Record<string, Random>;

type RandomKind = keyof typeof RANDOM;

export function randomRun(
  kind: RandomKind,
  seed: number,
  options: Pick<RunOptions, 'variant' | 'record'> = {},
): Promise<RunResult> {
  const { workload, horizon }: Random = RANDOM[kind];
  return simulate({ seed, workload: workload(seed), faults: randomFaults(seed, MOST_FAULTS, horizon), ...options });
}

export async function* randomRuns(
  kind: RandomKind,
  { from, to, variant }: { readonly from: number; readonly to: number; readonly variant: Variant },
): AsyncGenerator<RunResult> {
  for (let seed = from; seed < to; seed += 1) yield await randomRun(kind, seed, { variant });
}

export type Job =
  | { readonly kind: 'random'; readonly from: number; readonly to: number }
  | { readonly kind: 'every single fault'; readonly seed: number; readonly tiny: boolean }
  | { readonly kind: 'every pair of faults'; readonly tiny: number; readonly part: number; readonly parts: number }
  | { readonly kind: 'crash in accept'; readonly from: number; readonly to: number }
  | { readonly kind: 'lost queue'; readonly from: number; readonly to: number }
  | { readonly kind: 'backlog'; readonly from: number; readonly to: number }
  | { readonly kind: 'dry run, real run and reference'; readonly from: number; readonly to: number }
  | { readonly kind: 'order and repetition'; readonly from: number; readonly to: number }
  | { readonly kind: 'laws of the join'; readonly seed: number; readonly triples: number }
  | { readonly kind: 'reverts'; readonly from: number; readonly to: number }
  | { readonly kind: 'erasures'; readonly from: number; readonly to: number }
  | { readonly kind: 'two releases'; readonly from: number; readonly to: number }
  | { readonly kind: 'the same twice'; readonly seeds: number }
  | { readonly kind: 'variant'; readonly name: string; readonly from: number; readonly within: number };

export interface Report {
  readonly job: Job;
  runs: number;
  steps: number;
  faults: number;
  slowestMs: number;
  abandoned: number;
  failures: Failure[];
}

const MINUTE = 60_000;

/** The longest that an import may take, and the most that may be abandoned. */
const BOUNDS: Partial<Record<Job['kind'], { readonly withinMs?: number; readonly abandons?: number }>> = {
  'crash in accept': { withinMs: 2 * MINUTE },
  'lost queue': { withinMs: 26 * 60 * MINUTE },
  backlog: { abandons: 0 },
};

export const broken = (violation: string): Failure => ({ seed: -1, tiny: false, faults: [], violation });

export async function work(job: Job): Promise<Report> {
  const report: Report = { job, runs: 0, steps: 0, faults: 0, slowestMs: 0, abandoned: 0, failures: [] };
  limitChunks();
  await KINDS[job.kind](job as never, report);
  const { withinMs = Infinity, abandons = Infinity } = BOUNDS[job.kind] ?? {};
  if (report.slowestMs > withinMs) report.failures.push(broken(`an import took ${report.slowestMs} ms`));
  if (report.abandoned > abandons) report.failures.push(broken(`${report.abandoned} imports were abandoned`));
  return report;
}

const KINDS: { readonly [K in Job['kind']]: (job: Extract<Job, { kind: K }>, report: Report) => Promise<void> } = {
  async random({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) count(report, await randomRun('random', seed), { seed, tiny: false });
  },

  async 'every single fault'({ seed, tiny }, report) {
    const clean = await run(report, seed, scripted([]), tiny);
    for (const [at, step] of clean.steps.entries()) {
      for (const fault of everyFault(step, at)) await run(report, seed, scripted([fault]), tiny);
    }
  },

  async 'every pair of faults'({ tiny, part, parts }, report) {
    const clean = await run(report, tiny, scripted([]), true);
    const firsts = clean.steps.flatMap(fewFaults);
    for (const [position, first] of firsts.entries()) {
      if (position % parts !== part) continue;
      const alone = await run(report, tiny, scripted([first]), true);
      const seconds = alone.steps.flatMap(fewFaults).filter(({ step }) => step > first.step);
      for (const second of seconds) await run(report, tiny, scripted([first, second]), true);
    }
  },

  /** The function dies once the import is stored, before any message is sent. */
  async 'crash in accept'({ from, to }, report) {
    const sending = { step: 4, kind: 'kill before', amount: 0 } as const;
    for (let seed = from; seed < to; seed += 1) {
      count(report, await simulate({ seed, workload: loneImport, faults: scripted([sending]) }), { seed, tiny: true });
    }
  },

  async 'lost queue'({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) {
      const workload = { ...smooth(seed), delivers: 0 };
      count(report, await simulate({ seed, workload, faults: scripted([]) }), { seed, tiny: false });
    }
  },

  async backlog({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) {
      const workload = { ...smooth(seed), backlogMs: 20 * 60 * MINUTE };
      count(report, await simulate({ seed, workload, faults: scripted([]) }), { seed, tiny: false });
    }
  },

  async 'dry run, real run and reference'({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) {
      const { records, disagreements } = await compareBatch(seed);
      tally(report, records, seed, disagreements.length > 0 ? JSON.stringify(disagreements[0]) : undefined);
    }
  },

  async 'order and repetition'({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) {
      tally(report, 0, seed, (await orderMatters(seed)) ? 'the order of records or deliveries shows' : undefined);
    }
  },

  async 'laws of the join'({ seed, triples }, report) {
    const broken = brokenTriples(seed, triples);
    tally(report, triples, seed, broken > 0 ? `${broken} triples break a law` : undefined);
  },

  async reverts({ kind, from, to }, report) {
    for (let seed = from; seed < to; seed += 1) countNamed(report, await randomRun(kind, seed), seed);
  },

  async erasures({ kind, from, to }, report) {
    for (let seed = from; seed < to; seed += 1) countNamed(report, await randomRun(kind, seed), seed);
  },

  async 'two releases'({ from, to }, report) {
    const variant = mixed(await formerBuild(releases().at(-1) ?? ''), thisBuild);
    for (let seed = from; seed < to; seed += 1) countNamed(report, await mixedRun(seed, variant), seed);
  },

  async 'the same twice'({ seeds }, report) {
    const hashes = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      const runs: string[] = [];
      for (let seed = 0; seed < seeds; seed += 1)
        runs.push((await randomRun('random', seed, { record: true })).traceHash);
      hashes.add(runs.join(' '));
    }
    tally(report, 0, 0, hashes.size === 1 ? undefined : 'the same seeds have DIFFERENT trace hashes');
  },

  async variant({ name, from, within }, report) {
    const variant = VARIANTS[name];
    if (variant === undefined) throw new Error(`no variant ${name}`);
    for (let seed = from; seed < from + within && report.failures.length === 0; seed += 1) {
      count(report, await randomRun('random', seed, { variant }), { seed, tiny: false });
      const mapped = { seed, workload: mappedWorkload(seed), faults: staleReads, variant };
      count(report, await simulate(mapped), { seed, tiny: false });
    }
  },
};

/** Without troubles of the queue or the machine. */
function smooth(seed: number) {
  const { outageMs: _, delivers: __, ...workload } = randomWorkload(seed);
  return workload;
}

async function run(
  report: Report,
  seed: number,
  faults: ReturnType<typeof scripted>,
  tiny = false,
): Promise<RunResult> {
  const workload = tiny ? tinyWorkload(seed) : randomWorkload(seed);
  const result = await simulate({ seed, workload, faults });
  count(report, result, { seed, tiny });
  return result;
}

function tally(report: Report, records: number, seed: number, violation: string | undefined): void {
  report.runs += 1;
  report.steps += records;
  if (violation !== undefined) report.failures.push(broken(`seed ${seed}: ${violation}`));
}

/** Counts a run that `--replay` cannot show: its violations name it. */
function countNamed(report: Report, result: RunResult, seed: number): void {
  const violations = result.violations.map((violation) => `${report.job.kind}, seed ${seed}: ${violation}`);
  count(report, { ...result, violations }, { seed: -1, tiny: false });
}

function count(report: Report, result: RunResult, { seed, tiny }: { seed: number; tiny: boolean }): void {
  report.runs += 1;
  report.steps += result.steps.length;
  report.faults += result.suffered.length;
  report.abandoned += result.abandoned;
  report.slowestMs = Math.max(report.slowestMs, ...result.terminalMs);
  const [violation] = result.violations;
  if (violation !== undefined && report.failures.length < 5) {
    report.failures.push({ seed, tiny, faults: result.suffered, violation });
  }
}

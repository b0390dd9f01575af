/** The kinds of work of a worker. Every job counts its runs and returns the first violations in full. */
import { formerBuild, mixed, mixedRun } from '../../formats/builds.ts';
import { releases } from '../../formats/frozen.ts';
import { limitChunks } from '../../kit/chunk-limits.ts';
import * as thisBuild from '../build.ts';
import { VARIANTS } from '../variants.ts';
import { erasureWorkload } from '../erasure-workload.ts';
import { everyFault, fewFaults, randomFaults, scripted, staleReads } from '../faults.ts';
import { type Failure, type RunResult, simulate } from '../run.ts';
import { mappedWorkload, randomWorkload, loneImport, revertWorkload, tinyWorkload } from '../workload.ts';
import { brokenTriples } from '../../reference/join-laws.ts';
import { compareBatch, orderMatters } from '../../reference/laws.ts';

export const MOST_FAULTS = 10;
/** Faults occur within so many first steps; a run has about 70. */
export const HORIZON = 80;
/** A run with reverts has about 200. */
export const REVERT_HORIZON = 200;
/** A run with an erasure has about 200, and some much more. */
export const ERASURE_HORIZON = 300;

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

export async function work(job: Job): Promise<Report> {
  const report: Report = { job, runs: 0, steps: 0, faults: 0, slowestMs: 0, abandoned: 0, failures: [] };
  limitChunks();
  await KINDS[job.kind](job as never, report);
  return report;
}

const KINDS: { readonly [K in Job['kind']]: (job: Extract<Job, { kind: K }>, report: Report) => Promise<void> } = {
  async random({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) await run(report, seed, randomFaults(seed, MOST_FAULTS, HORIZON));
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

  async reverts({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) {
      const faults = randomFaults(seed, MOST_FAULTS, REVERT_HORIZON);
      const result = await simulate({ seed, workload: revertWorkload(seed, 5), faults });
      const violations = result.violations.map((violation) => `reverts, seed ${seed}: ${violation}`);
      count(report, { ...result, violations }, { seed: -1, tiny: false });
    }
  },

  async erasures({ from, to }, report) {
    for (let seed = from; seed < to; seed += 1) {
      const faults = randomFaults(seed, MOST_FAULTS, ERASURE_HORIZON);
      const result = await simulate({ seed, workload: erasureWorkload(seed), faults });
      const violations = result.violations.map((violation) => `erasures, seed ${seed}: ${violation}`);
      count(report, { ...result, violations }, { seed: -1, tiny: false });
    }
  },

  async 'two releases'({ from, to }, report) {
    const variant = mixed(await formerBuild(releases().at(-1) ?? ''), thisBuild);
    for (let seed = from; seed < to; seed += 1) {
      const result = await mixedRun(seed, variant);
      const violations = result.violations.map((violation) => `two releases, seed ${seed}: ${violation}`);
      count(report, { ...result, violations }, { seed: -1, tiny: false });
    }
  },

  async 'the same twice'({ seeds }, report) {
    const hashes = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      const runs: string[] = [];
      for (let seed = 0; seed < seeds; seed += 1) runs.push((await randomRun(seed)).traceHash);
      hashes.add(runs.join(' '));
    }
    tally(report, 0, 0, hashes.size === 1 ? undefined : 'the same seeds have DIFFERENT trace hashes');
  },

  async variant({ name, from, within }, report) {
    const variant = VARIANTS[name];
    if (variant === undefined) throw new Error(`no variant ${name}`);
    for (let seed = from; seed < from + within && report.failures.length === 0; seed += 1) {
      const faults = randomFaults(seed, MOST_FAULTS, HORIZON);
      count(report, await simulate({ seed, workload: randomWorkload(seed), faults, variant }), { seed, tiny: false });
      const mapped = { seed, workload: mappedWorkload(seed), faults: staleReads, variant };
      count(report, await simulate(mapped), { seed, tiny: false });
    }
  },
};

export const randomRun = (seed: number): Promise<RunResult> =>
  simulate({ seed, workload: randomWorkload(seed), faults: randomFaults(seed, MOST_FAULTS, HORIZON), record: true });

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
  if (violation !== undefined)
    report.failures.push({ seed: -1, tiny: false, faults: [], violation: `seed ${seed}: ${violation}` });
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

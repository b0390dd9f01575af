/**
 * The crash simulator from the command line. `npm run test:crash` tries every single fault, all pairs on tiny
 * workloads and 50,000 random schedules, 5,000 with reverts and 2,000 with an erasure, in about a quarter of an hour
 * on two cores. `-- --seeds N` runs N random schedules alone, and `-- --replay SEED` shows one. `-- --seeds 0 --releases
 * N` runs N by the last release and this one. `-- --shard 3/8` tries the third eighth of each, and a quarter of the
 * broken variants.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Failure } from '../run.ts';
import type { Job, Report } from './jobs.ts';
import { storeUncompressed } from './uncompressed.ts';

storeUncompressed();

const { VARIANTS } = await import('../variants.ts');
const { describeFault } = await import('../faults.ts');
const { shrunk } = await import('../run.ts');
const { TINIEST, TINY_SHAPES } = await import('../workload.ts');
const { broken, MOST_FAULTS, randomRun } = await import('./jobs.ts');
const { Workers } = await import('./workers.ts');

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    replay: { type: 'string' },
    releases: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
  },
});

const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
if (!(shard >= 1 && shard <= shards))
  throw new Error(`--shard ${values.shard}: write --shard 3/8 for the third of eight.`);

const workers = new Workers();

const SECONDS = 1000;
/** Number of workloads on which every step is tried with every fault. */
const SINGLES = 12;
const sharded = (jobs: readonly Job[]): Job[] => jobs.filter((_, at) => at % shards === (shard - 1) % jobs.length);
const ran = (count: number, size: number, job: (from: number, to: number) => Job): Job[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, at) => job(at * size, Math.min(count, (at + 1) * size)));

interface Stage {
  readonly text: string;
  readonly failures: readonly Failure[];
}

/** Starts every job at once, and prints the stages in their order. */
async function all(seeds: number | undefined): Promise<void> {
  const started = performance.now();
  const stages = [...(seeds === undefined ? boundedPart() : []), ...schedules(seeds), sameTwice()];
  const failures: Failure[] = [];
  for (const ended of stages) {
    const { text, failures: found } = await ended;
    if (text !== '') console.log(text);
    failures.push(...found);
  }
  await workers.end();
  console.log(`${Math.round((performance.now() - started) / SECONDS)} s on ${availableParallelism()} cores`);
  for (const failure of failures.slice(0, 3)) await explain(failure);
  if (failures.length > 0) process.exitCode = 1;
  console.log(failures.length === 0 ? '0 violations' : 'VIOLATIONS');
}

function schedules(seeds: number | undefined): Promise<Stage>[] {
  const random = ran(seeds ?? 50_000, 250, (from, to) => ({ kind: 'random', from, to }));
  const unless = (usual: number) => (seeds === undefined ? usual : 0);
  const reverting = ran(unless(5_000), 50, (from, to) => ({ kind: 'reverts', from, to }));
  const erasing = ran(unless(2_000), 50, (from, to) => ({ kind: 'erasures', from, to }));
  const mixed = ran(Number(values.releases ?? unless(3_000)), 50, (from, to) => ({ kind: 'two releases', from, to }));
  return [
    stage(`random schedules of up to ${MOST_FAULTS} faults`, random),
    stage('the same with reverts', reverting),
    stage('the same while a person is erased', erasing),
    stage('two releases side by side', mixed),
  ];
}

function pairsOfFaults(): Job[] {
  const parts = 16;
  return TINIEST.flatMap((tiny) =>
    Array.from({ length: parts }, (_, part): Job => ({ kind: 'every pair of faults', tiny, part, parts })),
  );
}

function boundedPart(): Promise<Stage>[] {
  const kind = 'every single fault';
  const singles = Array.from({ length: SINGLES }, (_, at): Job => ({ kind, seed: 7_000_000 + at, tiny: false }));
  const tiny = Array.from({ length: TINY_SHAPES }, (_, at): Job => ({ kind, seed: at, tiny: true }));
  const crashes = ran(400, 50, (first, last) => ({ kind: 'crash in accept', from: first, to: last }));
  const lost = ran(400, 50, (first, last) => ({ kind: 'lost queue', from: first, to: last }));
  const backlogs = ran(400, 50, (first, last) => ({ kind: 'backlog', from: first, to: last }));
  return [
    variants(),
    ...laws(),
    stage(`every single fault of ${SINGLES + TINY_SHAPES} workloads`, [...tiny, ...singles]),
    stage('every pair of faults of the tiniest workloads', pairsOfFaults()),
    stage('killed between commit and sending', crashes),
    stage('the queue loses every message', lost),
    stage('a backlog of up to 20 hours', backlogs),
  ];
}

function laws(): Promise<Stage>[] {
  const triples = ran(100_000, 5_000, (from, to) => ({ kind: 'laws of the join', seed: from, triples: to - from }));
  const orders = ran(1_000, 50, (from, to) => ({ kind: 'order and repetition', from, to }));
  const batches = ran(6_500, 100, (from, to) => ({ kind: 'dry run, real run and reference', from, to }));
  return [triples, orders, batches].map(async (jobs) => {
    const reports = await workers.all(sharded(jobs));
    const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0);
    const failures = reports.flatMap((report) => report.failures);
    const text = `${jobs[0]?.kind}: ${sum(({ runs }) => runs)} runs, ${sum(({ steps }) => steps)} records or triples, ${failures.length} violations`;
    return { text, failures };
  });
}

async function stage(name: string, jobs: readonly Job[]): Promise<Stage> {
  if (jobs.length === 0) return { text: '', failures: [] };
  const reports = await workers.all(sharded(jobs));
  const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0);
  const slowestMs = Math.max(...reports.map((report) => report.slowestMs));
  const failures = reports.flatMap((report) => report.failures);
  const text =
    `${name}: ${sum(({ runs }) => runs)} runs, ${sum(({ steps }) => steps)} steps, ${sum(({ faults }) => faults)} faults, ` +
    `slowest import ${Math.round(slowestMs / SECONDS)} s, ${sum((report) => report.abandoned)} abandoned, ${failures.length} violations`;
  return { text, failures };
}

/** Variants that few seeds catch start near the first of these: that saves each shard a minute of processor time. */
const CAUGHT_LATE: Readonly<Record<string, number>> = {
  'imports are given up after a day, whatever was tried': 770,
  'a chunk that is given up counts as applied': 710,
  'items left unprocessed are forgotten': 1_190,
  'throttled statements count as done': 330,
};

/** Tests the simulator: it must catch every broken variant. A shard tries a quarter of them, the next one another. */
async function variants(): Promise<Stage> {
  const within = 2_000;
  const quarters = Math.min(shards, 4);
  const names = Object.keys(VARIANTS).filter((_, at) => at % quarters === (shard - 1) % quarters);
  const reports = await workers.all(
    names.map((name): Job => ({ kind: 'variant', name, from: CAUGHT_LATE[name] ?? 0, within })),
  );
  const lines = reports.map(({ job, failures: [caught] }) => {
    const name = job.kind === 'variant' ? job.name : '';
    const line = `  ${String(caught?.seed ?? 'MISSED').padStart(6)}  ${name}: ${caught?.violation.split('\n')[0] ?? ''}`;
    return {
      line,
      missed: caught === undefined ? [broken(`the variant "${name}" was not caught by ${within} seeds`)] : [],
    };
  });
  return {
    text: ['broken variants, and the seed that catches each:', ...lines.map(({ line }) => line)].join('\n'),
    failures: lines.flatMap(({ missed }) => missed),
  };
}

async function sameTwice(): Promise<Stage> {
  const [report] = await workers.all([{ kind: 'the same twice', seeds: 20 }]);
  const failures = report?.failures ?? [];
  const result = failures.length === 0 ? 'equal trace hashes' : 'DIFFERENT trace hashes';
  return { text: `the same 20 seeds twice: ${result}`, failures };
}

async function explain(failure: Failure): Promise<void> {
  if (failure.seed < 0) return console.log(`\n${failure.violation}`);
  const { faults, result } = await shrunk(failure);
  console.log(
    `\nseed ${failure.seed}: ${result.violations.join('; ')}\n  faults: ${faults.map(describeFault).join(' | ')}`,
  );
  console.log(`${result.trace.join('\n')}\ntrace ${result.traceHash}`);
}

async function show(seed: number): Promise<void> {
  const { trace, traceHash, violations } = await randomRun('random', seed, { record: true });
  console.log(`${trace.join('\n')}\ntrace ${traceHash}\n${violations.join('\n') || '0 violations'}`);
  if (violations.length > 0) process.exitCode = 1;
}

if (values.replay !== undefined) await show(Number(values.replay));
else await all(values.seeds === undefined ? undefined : Number(values.seeds));

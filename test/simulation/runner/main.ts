/**
 * The crash simulator from the command line. `npm run test:crash` tries all cases of `kinds.ts`, and every broken variant
 * of imports, in about a quarter of an hour on two cores. `-- --only reverts --count 500` tries so many cases of one kind,
 * `-- --only reverts --replay 7` shows one, and `-- --shard 3/8` tries the third eighth of each.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Failure, KindName } from './kinds.ts';
import { storeUncompressed } from './uncompressed.ts';

storeUncompressed();
const { caught, KINDS, tried } = await import('./kinds.ts');
const { describeFault } = await import('../faults.ts');
const { shrunk, simulate } = await import('../run.ts');
const { VARIANTS } = await import('../variants.ts');

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string' },
    replay: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
  },
});

const WORKERS = availableParallelism();
/** Most objects of a run are garbage when it ends: a larger space copies fewer of them. */
const YOUNG_MB = 192;
const named = ([name]: readonly [string, unknown]): boolean => values.only === undefined || values.only === name;

interface Report {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly failed: number;
  /** The first failure, with the faults that it needs. */
  readonly explained?: string | undefined;
}

/** The cases of this worker, in this shard: one of `most` at least. */
function* casesOf(count: number, most = count): Generator<number> {
  const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
  const step = Math.min(shards * WORKERS, most);
  for (let at = ((shard - 1) * WORKERS + workerData) % step; at < count; at += step) yield at;
}

/** In a shard, each worker tries so many of the broken variants. */
const OF_VARIANTS = 8;

async function work(report: (report: Report) => void): Promise<void> {
  const usage = process.resourceUsage();
  // Each log line contains the memory of the process, which is slow to read beside workers.
  process.resourceUsage = () => usage;
  for (const [name, { count }] of Object.entries(KINDS).filter(named)) {
    const { counts, failures } = await tried(name as KindName, casesOf(Number(values.count ?? count)));
    const [first] = failures;
    report({ name, counts, failed: failures.length, explained: first && (await explanation(first)) });
  }
  const variants = Object.keys(VARIANTS);
  for (const at of values.only === undefined ? casesOf(variants.length, OF_VARIANTS) : []) {
    const name = variants[at] ?? '';
    const how = await caught(name);
    console.log(`broken variant: ${name}: ${how ?? 'MISSED'}`);
    if (how === undefined) report({ name, counts: {}, failed: 1 });
  }
}

async function explanation({ at, violations, options, result }: Failure): Promise<string> {
  const { suffered, trace } = result.violations.length === 0 ? result : await shrunk(options, result);
  const faults = suffered.map(describeFault).join(' | ');
  return `case ${at}: ${violations.join('; ')}\n  faults: ${faults}\n${trace.join('\n')}`;
}

async function all(): Promise<void> {
  const workers = Array.from({ length: WORKERS }, (_, part) => {
    const limits = { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } };
    const worker = new Worker(new URL(import.meta.url), { ...limits, workerData: part, argv: process.argv.slice(2) });
    return worker.on('message', show);
  });
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  console.log(process.exitCode === 1 ? 'VIOLATIONS' : '0 violations');
}

/** Each worker reports its part of a kind. */
function show({ name, counts, failed, explained = '' }: Report): void {
  console.log(`${name}: ${JSON.stringify(counts)}, ${failed} failed\n${explained}`.trimEnd());
  if (failed > 0) process.exitCode = 1;
}

async function replay(name: KindName, at: number): Promise<void> {
  for await (const options of KINDS[name].runs(at)) {
    const { suffered, trace, violations } = await simulate({ ...options, record: true });
    console.log([...trace, ...suffered.map(describeFault), violations.join('\n') || '0 violations'].join('\n'));
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
if (!isMainThread) await work((report) => parentPort?.postMessage(report));
else if (values.replay === undefined) await all();
else await replay((values.only ?? 'imports') as KindName, Number(values.replay));

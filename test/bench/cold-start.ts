/**
 * Cold starts of every function as processes: from starting Node to the first result, as a ratio to an empty handler of the
 * same run. All run in turns on one core, so that other load affects them alike; medians are compared.
 */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { awsEnvironment } from '../../bin/local/endpoints.ts';
import { ENV } from '../../functions/runtime/environment.ts';
import { coldCases, type ColdCase } from './cold-events.ts';
import type { Database, Engines } from './cloud.ts';
import { prepareCallers } from './cold-callers.ts';
import { PARTIES } from './service.ts';

export interface ColdStart {
  /** Median, against the empty handler's median. */
  readonly ratio: number;
  readonly cpuRatio: number;
  readonly ms: number;
}

export interface ColdStarts {
  readonly emptyMs: number;
  readonly functions: ReadonlyMap<string, Readonly<Record<string, ColdStart>>>;
}

const CHILD = join(import.meta.dirname, 'cold-process.mjs');
const CORE = '1';

interface Sample {
  readonly ms: number;
  readonly cpuMs: number;
}

/** One bundle to start again and again. */
interface Candidate {
  readonly name: string;
  readonly build: string;
  readonly bundle: string;
  readonly coldCase: ColdCase;
}

/** How many others start between one empty handler and the next. */
const EMPTY_EVERY = 8;

/** `builds`: folders of built functions by the name to report them under. */
export async function measureColdStarts(
  engines: Engines,
  builds: Readonly<Record<string, string>>,
  rounds = 20,
): Promise<ColdStarts> {
  const { context, world } = await prepareCallers(engines);
  try {
    const empty = await emptyHandler();
    const candidates = [...coldCases(context)].flatMap(([name, coldCase]) =>
      Object.entries(builds).map(([build, folder]): Candidate => ({
        name,
        build,
        bundle: join(folder, name, 'index.mjs'),
        coldCase,
      })),
    );
    const order = candidates.flatMap((candidate, i) => (i % EMPTY_EVERY === 0 ? [empty, candidate] : [candidate]));
    const environment = environmentOf(engines, world.database);
    const samples = new Map([empty, ...candidates].map((candidate) => [candidate, [] as Sample[]]));
    const turns = Array.from({ length: rounds + 1 }, () => order).flat();
    for (const [turn, candidate] of turns.entries()) {
      const sample = await coldStart(candidate, environment);
      // The first round warms the file cache, and checks the results.
      if (turn >= order.length) samples.get(candidate)?.push(sample);
    }
    return compared(empty, samples);
  } finally {
    await world.destroy();
  }
}

async function emptyHandler(): Promise<Candidate> {
  const bundle = join(tmpdir(), 'course-progress-migration-empty-handler.mjs');
  await writeFile(bundle, 'export const handler = async () => ({ statusCode: 200 });\n');
  return { name: 'empty', build: '', bundle, coldCase: { event: {}, status: 200 } };
}

function compared(empty: Candidate, samples: ReadonlyMap<Candidate, readonly Sample[]>): ColdStarts {
  const medians = new Map(
    [...samples].map(([candidate, each]) => [
      candidate,
      { ms: median(each.map(({ ms }) => ms)), cpuMs: median(each.map(({ cpuMs }) => cpuMs)) },
    ]),
  );
  const base = medians.get(empty) ?? { ms: Number.NaN, cpuMs: Number.NaN };
  const functions = new Map<string, Record<string, ColdStart>>();
  for (const [candidate, { ms, cpuMs }] of medians) {
    if (candidate === empty) continue;
    const coldStart = { ratio: ms / base.ms, cpuRatio: cpuMs / base.cpuMs, ms };
    functions.set(candidate.name, { ...functions.get(candidate.name), [candidate.build]: coldStart });
  }
  return { emptyMs: base.ms, functions };
}

async function coldStart({ name, bundle, coldCase }: Candidate, env: Record<string, string>): Promise<Sample> {
  const { event, status } = coldCase;
  const { started, output } = await child(
    ['-c', CORE, process.execPath, CHILD, pathToFileURL(bundle).href, JSON.stringify(event)],
    env,
  );
  const ended = performance.now();
  const [, report] = /^cold (\{.*\})$/m.exec(output) ?? [];
  if (report === undefined) throw new Error(`${name} returned nothing: ${output.slice(-500)}`);
  const result = JSON.parse(report) as { status: number | null; cpuUs: number };
  if (result.status !== status)
    throw new Error(`${name} returned ${result.status} instead of ${status}: ${output.slice(-500)}`);
  return { ms: ended - started, cpuMs: result.cpuUs / 1000 };
}

async function child(command: readonly string[], env: Record<string, string>) {
  const started = performance.now();
  const { stdout, stderr } = spawn('taskset', [...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = text(stdout);
  const errors = text(stderr);
  await output;
  return { started, output: (await output) + (await errors) };
}

function environmentOf({ sqs, queueUrl }: Engines, { endpoint, table }: Database): Record<string, string> {
  return {
    ...awsEnvironment({ dynamodb: endpoint, sqs, kms: 'http://127.0.0.1:9', events: 'http://127.0.0.1:9' }),
    [ENV.table]: table,
    [ENV.chunkQueueUrl]: queueUrl,
    [ENV.signingKeyId]: 'none',
    [ENV.issuer]: PARTIES.issuer,
    [ENV.audience]: PARTIES.audience,
    [ENV.sandboxDataFile]: 'sandbox-data.json',
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

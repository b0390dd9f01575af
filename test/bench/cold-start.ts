/**
 * Cold starts of every function as processes: from starting Node to the first answer, as a ratio to an empty handler of the
 * same run. All take turns on one core, so that whatever else the machine does hits them alike; medians are compared.
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
import type { Engines } from './cloud.ts';
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
const EMPTY = 'empty';

interface Sample {
  readonly ms: number;
  readonly cpuMs: number;
}

/** `builds`: folders of built functions by the name to report them under. */
export async function measureColdStarts(
  engines: Engines,
  builds: Readonly<Record<string, string>>,
  rounds = 20,
): Promise<ColdStarts> {
  const empty = join(tmpdir(), 'course-progress-migration-empty-handler.mjs');
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 200 });\n');
  const environment = environmentOf(engines);
  const cases = coldCases(await prepareCallers(engines));
  const runs = [
    { name: EMPTY, build: '', bundle: empty, coldCase: { event: {}, status: 200 } },
    ...[...cases].flatMap(([name, coldCase]) =>
      Object.entries(builds).map(([build, folder]) => ({
        name,
        build,
        bundle: join(folder, name, 'index.mjs'),
        coldCase,
      })),
    ),
  ];
  const samples = new Map(runs.map((run) => [run, [] as Sample[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const run of runs) {
      const sample = await coldStart(run.bundle, run.coldCase, environment, run.name);
      // The first round warms the file cache, and checks the answers.
      if (round > 0) samples.get(run)?.push(sample);
    }
  }
  const [[, emptySamples = []] = []] = samples;
  const emptyMs = median(emptySamples.map(({ ms }) => ms));
  const emptyCpuMs = median(emptySamples.map(({ cpuMs }) => cpuMs));
  const functions = new Map<string, Record<string, ColdStart>>();
  for (const [{ name, build }, each] of [...samples].slice(1)) {
    const ms = median(each.map((sample) => sample.ms));
    const cpuMs = median(each.map((sample) => sample.cpuMs));
    functions.set(name, { ...functions.get(name), [build]: { ratio: ms / emptyMs, cpuRatio: cpuMs / emptyCpuMs, ms } });
  }
  return { emptyMs, functions };
}

async function coldStart(
  bundle: string,
  { event, status }: ColdCase,
  env: Record<string, string>,
  name: string,
): Promise<Sample> {
  const { started, output } = await child(
    ['-c', CORE, process.execPath, CHILD, pathToFileURL(bundle).href, JSON.stringify(event)],
    env,
  );
  const answered = performance.now();
  const [, told] = /^cold (\{.*\})$/m.exec(output) ?? [];
  if (told === undefined) throw new Error(`${name} gave no answer: ${output.slice(-500)}`);
  const answer = JSON.parse(told) as { status: number | null; cpuUs: number };
  if (answer.status !== status)
    throw new Error(`${name} answered ${answer.status} instead of ${status}: ${output.slice(-500)}`);
  return { ms: answered - started, cpuMs: answer.cpuUs / 1000 };
}

async function child(command: readonly string[], env: Record<string, string>) {
  const started = performance.now();
  const { stdout, stderr } = spawn('taskset', [...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = text(stdout);
  const errors = text(stderr);
  await output;
  return { started, output: (await output) + (await errors) };
}

function environmentOf({ dynamodb, sqs, table, queueUrl }: Engines): Record<string, string> {
  return {
    ...awsEnvironment({ dynamodb, sqs, kms: 'http://127.0.0.1:9' }),
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

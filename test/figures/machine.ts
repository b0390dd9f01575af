/**
 * `npm run figures -- machine`: processor time of records, evidence and cold starts on this machine. Limits are
 * multiples within one run, because other load changes both alike. `--starts N` starts each function N times.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { builtStack } from '../../bin/local/built-stack.ts';
import { awsEnvironment, clientSettings } from '../../bin/local/endpoints.ts';
import { startEngine } from '../../bin/local/engine.ts';
import { createTables } from '../../bin/local/tables.ts';
import { PhysicalResources } from '../../bin/local/template.ts';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { handler as signEvidence } from '../../functions/handlers/sign-evidence.ts';
import { instant } from '../../functions/records/instants.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { importItem } from '../dynamodb/samples.ts';
import { apiEvent, posted } from '../kit/api-event.ts';
import { planted } from '../kit/planted.ts';
import { sqsEvent } from '../kit/sqs-event.ts';
import { revertTally } from './histories.ts';
import { call, divertOutput, figuresWorld, PARTIES, type World } from './world.ts';
import { COMPANY_ID, importOf, organicOf, RECORDS_PER_IMPORT, renewed, secondFile } from './workload.ts';

const TURNS = 5;
/** Times a new pair: an import that finds something stored. */
const MOST_OF_STORED = 1.3;
/** A revert that sends an update for each record takes four to five times a new pair. */
const MOST_OF_REVERT = 2;
const REVERT = 'revert of the last one';
/** Times an empty handler. */
const MOST_OF_START = 5.5;

export async function measureMachine(starts: number): Promise<void> {
  const { template } = await builtStack();
  const engine = await startEngine();
  const [table = ''] = await createTables(new PhysicalResources(template), clientSettings(engine.endpoint));
  const client = documentClient(clientSettings(engine.endpoint));
  // Tokens are issued in the past of the real clock, which the started processes compare them with.
  const startMs = Date.now() - 60_000;
  const data = { learners: RECORDS_PER_IMPORT, courses: 2 * TURNS, startMs, database: { client, table } };
  try {
    const world = await figuresWorld(data);
    const faults = [
      ...(await computing(world)),
      ...(await signing(world)),
      ...(await coldStarts(world, { ...engine, table, starts })),
    ];
    for (const fault of faults) console.error(`missed ${fault}`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    client.destroy();
    await engine.stop();
  }
}

async function computing(world: World): Promise<string[]> {
  const times = new Map<string, number[]>();
  const shape = { learners: RECORDS_PER_IMPORT, courses: 1 };
  const restoreOutput = divertOutput(() => {});
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [fresh, organic] = [importOf(shape, { courses: turn }), importOf(shape, { courses: TURNS + turn })];
    await planted(world.services.stores.platform).putNativeProgress(organicOf(organic));
    const cases = { fresh, 'second file': secondFile(fresh), renewal: renewed(fresh), 'organic progress': organic };
    let last = '';
    const note = (part: string, us: number) => times.set(part, [...(times.get(part) ?? []), us]);
    for (const [name, records] of Object.entries(cases)) {
      note(
        `accept, ${name}`,
        await cpuOf(async () => {
          const { status, body } = await world.post({ dry_run: false, records }, `${name.replace(' ', '-')}-${turn}`);
          if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
          last = (body as { import_id: string }).import_id;
        }),
      );
      const chunks: number[] = [];
      await world.deliver(async (run) => chunks.push(await cpuOf(run)));
      note(
        name,
        chunks.reduce((sum, us) => sum + us, 0),
      );
    }
    note(REVERT, await cpuOf(() => revertTally(last, world)));
  }
  restoreOutput();
  const us = Object.fromEntries([...times].map(([name, all]) => [name, Math.round(median(all.slice(1)))]));
  console.table(us);
  const fresh = us['fresh'] ?? Number.NaN;
  return Object.entries(us).flatMap(([name, time]) =>
    name.startsWith('accept') || time <= fresh * (name === REVERT ? MOST_OF_REVERT : MOST_OF_STORED)
      ? []
      : [`${name}: ${time} µs, ${fresh} of a new pair`],
  );
}

const SIGNED = 2_000;
const MOST_SIGNING_MS = 3_000;
const DIGESTS = { records_digest: 'a'.repeat(64), results_digest: 'b'.repeat(64) };

/** The evidence of a run of as many imports as a million records have. */
async function signing({ services, authorization }: World): Promise<string[]> {
  for (let at = 0; at < SIGNED; at += 1) {
    const ended = { status: 'success', completed_at: instant(services.clock.nowMs()), digests: DIGESTS } as const;
    const import_id = String(at).padStart(26, '0');
    await services.stores.imports.commit(importItem(COMPANY_ID, { ...ended, import_id, run_id: 'signed' }));
  }
  const path = { company_id: COMPANY_ID, run_id: 'signed' };
  const event = { ...posted({ reason: 'figures' }, { authorization }), path };
  const restoreOutput = divertOutput(() => {});
  const us = await cpuOf(async () => {
    const { status, body } = await call(signEvidence.on(services), event);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  });
  restoreOutput();
  const ms = Math.round((us * RECORDS_PER_IMPORT) / 1000);
  console.log(`evidence of ${SIGNED} imports: ${ms} ms`);
  return ms <= MOST_SIGNING_MS ? [] : [`evidence: ${ms} ms, ${MOST_SIGNING_MS} at most`];
}

/** Microseconds a record of an import. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RECORDS_PER_IMPORT;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const EMPTY = 'empty handler';
const CHILD = join(import.meta.dirname, 'cold-process.mjs');

/** An event for a function of each kind. The login has no password: its hash is meant to be slow. */
function eventsOf({ authorization }: World): Readonly<Record<string, unknown>> {
  const path = { company_id: COMPANY_ID, import_id: 'none' };
  const headers = { authorization };
  const message = { company_id: COMPANY_ID, import_id: 'none', chunk: 0, payload_hash: 'none' };
  return {
    [EMPTY]: {},
    'get-jwks': apiEvent(),
    login: apiEvent(posted({ email: 'learner-000001@figures.example' })),
    'get-import': apiEvent({ path, headers }),
    'start-import': apiEvent({
      ...posted({ dry_run: true, records: importOf({ learners: 1, courses: 1 }) }, headers),
      path,
    }),
    'process-chunk': sqsEvent([{ messageId: 'm', body: JSON.stringify(message) }]),
    watchdog: {},
  };
}

async function coldStarts(
  world: World,
  { endpoint, table, starts }: { readonly endpoint: string; readonly table: string; readonly starts: number },
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cold-start-'));
  const empty = join(folder, 'index.mjs');
  await writeFile(empty, 'export const handler = async () => ({ statusCode: 200 });\n');
  const { bundles } = await builtStack();
  const samples = new Map<string, number[]>();
  // The first round fills the file caches and is not counted.
  for (let round = 0; round <= starts; round += 1)
    for (const [name, event] of Object.entries(eventsOf(world))) {
      const bundle = name === EMPTY ? empty : join(bundles, name, 'index.mjs');
      const us = await coldStart(bundle, event, environmentOf(endpoint, table));
      samples.set(name, round === 0 ? [] : [...(samples.get(name) ?? []), us]);
    }
  await rm(folder, { recursive: true, force: true });
  // Whatever else runs adds to it, so the least counts.
  const leastOf = (name: string) => Math.min(...(samples.get(name) ?? []));
  const times = [...samples.keys()].map(
    (name) => [name, Math.round((100 * leastOf(name)) / leastOf(EMPTY)) / 100] as const,
  );
  console.table(Object.fromEntries(times));
  return times.flatMap(([name, ratio]) =>
    ratio <= MOST_OF_START ? [] : [`cold start of ${name}: ${ratio} times an empty handler, ${MOST_OF_START} at most`],
  );
}

/** Microseconds of processor time. */
async function coldStart(bundle: string, event: unknown, env: Record<string, string>): Promise<number> {
  const args = [CHILD, pathToFileURL(bundle).href, JSON.stringify(event)];
  const { stdout, stderr } = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([text(stdout), text(stderr)]);
  const [, status = '', us] = /^status (\d+) after (\d+) us$/m.exec(output) ?? [];
  if (us === undefined || Number(status) >= 500)
    throw new Error(`${bundle} returned ${status}: ${`${output}${errors}`.slice(-500)}`);
  return Number(us);
}

function environmentOf(dynamodb: string, table: string): Record<string, string> {
  const none = 'http://127.0.0.1:9';
  return {
    ...awsEnvironment(dynamodb),
    [ENV.table]: table,
    [ENV.chunkQueueUrl]: `${none}/queue`,
    [ENV.signingKeyId]: 'none',
    [ENV.issuer]: PARTIES.issuer,
    [ENV.audience]: PARTIES.audience,
    [ENV.stage]: 'production',
  };
}

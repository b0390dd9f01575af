/**
 * Cold starts of every function as processes: from starting Node to the first result, as a ratio to an empty handler of the
 * same run. All run in turns on one core, so that other load affects them alike; medians are compared.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { builtStack } from '../../bin/local/built-stack.ts';
import { awsEnvironment } from '../../bin/local/endpoints.ts';
import { openSession } from '../../functions/auth/sessions.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { ROUTES } from '../../functions/shared/routes.ts';
import { LOAD_SANDBOX_DATA, PROCESS_CHUNK, ROUTE_NOT_FOUND, WATCHDOG } from '../../lib/function-sources.ts';
import { apiEvent, posted } from '../kit/api-event.ts';
import { type Engines, eventOf, type World, worldOf } from './cloud.ts';
import { median } from './cpu.ts';
import { PARTIES } from './service.ts';
import { ADMIN, COMPANY_ID, importOf } from './workload.ts';

const CHILD = join(import.meta.dirname, 'cold-process.mjs');
const CORE = '1';
const EMPTY = 'empty handler';
/** Number of other starts between one empty handler and the next. */
const EMPTY_EVERY = 8;
const USER = { email: 'learner-000001@bench.example' };
/** Bodies of the routes that take one. A login without a password: the hash is meant to be slow, and would be most of the time. */
const BODIES: Readonly<Record<string, unknown>> = {
  login: { email: USER.email },
  'refresh-token': { refreshToken: 'a.b.c' },
  'resolve-users': { emails: [USER.email] },
  'register-user-mappings': { mappings: [{ external_user_id: 'u-1', ...USER }] },
  'register-course-mappings': { mappings: [{ external_course_id: 'c-1', platform_course_id: 100 }] },
  'start-import': { dry_run: false, records: importOf({ learners: 1, courses: 1 }) },
};

/** Times the start of the functions of `ROUTES`, and of those that the queue, the clock and a deployment call. */
export async function measureColdStarts(engines: Engines, rounds: number): Promise<ReadonlyMap<string, number>> {
  // Tokens are issued in the past of the real clock, which the started processes compare them with.
  const world = await worldOf(engines, { learners: 2, courses: 1 }, Date.now() - 60_000);
  const folder = await mkdtemp(join(tmpdir(), 'cold-start-'));
  try {
    const empty = join(folder, 'empty.mjs');
    await writeFile(empty, 'export const handler = async () => ({ statusCode: 200 });\n');
    const { bundles: built } = await builtStack();
    const events = await eventsOf(world, folder);
    const order = [...events.keys()].flatMap((name, i) => (i % EMPTY_EVERY === 0 ? [EMPTY, name] : [name]));
    const env = environmentOf(engines, world);
    const samples = new Map<string, number[]>([EMPTY, ...events.keys()].map((name) => [name, []]));
    const bundleOf = (name: string) => (name === EMPTY ? empty : join(built, name, 'index.mjs'));
    // The first round fills the file caches and is not counted.
    for (const name of order) await coldStart(bundleOf(name), events.get(name) ?? {}, env);
    for (const name of Array.from({ length: rounds }, () => order).flat())
      samples.get(name)?.push(await coldStart(bundleOf(name), events.get(name) ?? {}, env));
    const base = median(samples.get(EMPTY) ?? []);
    return new Map([...events.keys()].map((name) => [name, median(samples.get(name) ?? []) / base]));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await world.destroy();
  }
}

const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'get-record': { external_record_id: 'none' },
  'get-learner': { user_id: '0' },
};

/** An event for each function that takes it on its way to the database. Each route has a session of its own: one logs out. */
async function eventsOf({ services }: World, folder: string): Promise<ReadonlyMap<string, unknown>> {
  const dataFile = join(folder, 'data.json');
  await writeFile(dataFile, JSON.stringify({ companies: [] }));
  const message = { company_id: COMPANY_ID, import_id: 'none', chunk: 0, payload_hash: 'none' };
  const routes = ROUTES.map(async ({ name, method, path: rawPath }) => {
    const { access_token } = await openSession(services, ADMIN, services.clock.nowMs());
    const headers = { authorization: `Bearer ${access_token}` };
    const request = name in BODIES ? posted(BODIES[name], headers) : { method, headers };
    const path = { company_id: COMPANY_ID, import_id: 'none', run_id: 'none' };
    return [name, apiEvent({ ...request, rawPath, path, query: QUERIES[name] ?? {} })] as const;
  });
  return new Map<string, unknown>([
    ...(await Promise.all(routes)),
    [ROUTE_NOT_FOUND, apiEvent({ rawPath: '/nowhere' })],
    [PROCESS_CHUNK, eventOf([{ MessageId: 'm', Body: JSON.stringify(message) }])],
    [WATCHDOG, {}],
    [LOAD_SANDBOX_DATA, { RequestType: 'Update', dataFile }],
  ]);
}

/** Milliseconds from the start of Node to the first result. */
async function coldStart(bundle: string, event: unknown, env: Record<string, string>): Promise<number> {
  const started = performance.now();
  const command = ['-c', CORE, process.execPath, CHILD, pathToFileURL(bundle).href, JSON.stringify(event)];
  const { stdout, stderr } = spawn('taskset', command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([text(stdout), text(stderr)]);
  const ms = performance.now() - started;
  const [, status] = /^status (\d+)$/m.exec(output) ?? [];
  if (status === undefined || Number(status) >= 500)
    throw new Error(`${bundle} returned ${status}: ${`${output}${errors}`.slice(-500)}`);
  return ms;
}

function environmentOf({ sqs, queueUrl }: Engines, { database }: World): Record<string, string> {
  const none = 'http://127.0.0.1:9';
  return {
    ...awsEnvironment({ dynamodb: database.endpoint, sqs, kms: none, events: none, ssm: none }),
    [ENV.table]: database.table,
    [ENV.chunkQueueUrl]: queueUrl,
    [ENV.signingKeyId]: 'none',
    [ENV.issuer]: PARTIES.issuer,
    [ENV.audience]: PARTIES.audience,
    [ENV.stage]: 'production',
    [ENV.sandboxDataFile]: 'sandbox-data.json',
  };
}

/**
 * Hostile requests in volume, to the deployed handlers of every operation; accepted imports are processed and read.
 * The long run is a million requests.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROUTES, type Route } from '../../../functions/shared/routes.ts';
import { FuzzWorld } from '../fuzz/fuzz-world.ts';
import { importFaults, faultsOf } from '../fuzz/faults.ts';
import { FUZZED, makeRequest } from '../fuzz/make-request.ts';
import { heavyTexts } from '../fuzz/mutate.ts';
import { Dice } from '../../kit/dice.ts';
import type { Sent } from '../support/target.ts';

const SEED = Number(process.env['SECURITY_SEED'] ?? 20_260_102);
const BODIES = process.env['SECURITY_RUN'] === 'long' ? 1_000_000 : 4000;
const REQUESTS_A_WORLD = 250;
const MOST_FINDINGS = 20;

/** Most requests change bodies, which can have most faults, and imports, which have most rules. */
const weightOf = ({ name, method }: Route) => (name === 'start-import' ? 8 : method === 'POST' ? 3 : 1);
const WEIGHTED = FUZZED.flatMap((route) => Array.from({ length: weightOf(route) }, () => route));

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);
const before = [Object.prototype, Array.prototype].map((prototype) => Reflect.ownKeys(prototype).map(String).join());

beforeAll(() => {
  process.on('unhandledRejection', onUnhandled);
  for (const prototype of [Object.prototype, Array.prototype, String.prototype]) Object.freeze(prototype);
});
afterAll(() => void process.off('unhandledRejection', onUnhandled));

async function findings(world: FuzzWorld, sent: Sent): Promise<string[]> {
  const answered = await world.send(sent);
  const isAccepted = sent.route.name === 'start-import' && answered.status === 202;
  const more = isAccepted ? await importFaults(world, answered) : [];
  return [...faultsOf(sent, answered), ...more, ...world.takeComplaints()];
}

function described({ route, path, query, headers, body }: Sent): string {
  const { authorization: _, ...shown } = headers ?? {};
  const text = typeof body === 'string' ? body : Buffer.from(body ?? '').toString('latin1');
  return `${route.name} ${JSON.stringify({ path, query, headers: shown })} ${text.slice(0, 600)}`;
}

it('no request makes an operation fail, leak or return an undocumented response', async () => {
  const dice = new Dice(SEED);
  const found = new Map<string, string>();
  let world = await FuzzWorld.create();
  let requests = 0;
  for (let bodies = 0; bodies < BODIES && found.size < MOST_FINDINGS; requests += 1) {
    if (requests % REQUESTS_A_WORLD === REQUESTS_A_WORLD - 1) world = await FuzzWorld.create();
    const sent = makeRequest(dice.pick(WEIGHTED), dice, world.credentials, world.known);
    if (sent.body !== undefined) bodies += 1;
    for (const fault of await findings(world, sent)) {
      const kind = fault.slice(0, 100);
      if (!found.has(kind)) found.set(kind, `${fault} | ${described(sent)}`);
    }
  }
  expect([...found.values()]).toEqual([]);
  expect(unhandled).toEqual([]);
  // Many requests come as far as a result, and many are refused for each reason.
  expect([...FuzzWorld.statuses]).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 413]));
});

it('bombs are refused on every operation before they are parsed', async () => {
  const world = await FuzzWorld.create();
  const dice = new Dice(SEED);
  const faults: string[] = [];
  for (const route of ROUTES.filter(({ method }) => method === 'POST')) {
    const plain = makeRequest(route, dice, world.credentials, world.known);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.credentials.access}` };
    for (const body of heavyTexts('{}', dice)) {
      const sent = { ...plain, path: { company_id: 'acme' }, headers, body };
      faults.push(...(await findings(world, sent)).map((fault) => `${fault} | ${described(sent).slice(0, 200)}`));
    }
  }
  expect(faults).toEqual([]);
});

it('no request changed a prototype', () => {
  const now = [Object.prototype, Array.prototype].map((prototype) => Reflect.ownKeys(prototype).map(String).join());
  expect(now).toEqual(before);
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

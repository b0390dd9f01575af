/** The checks of a release through a web ACL and the APIs behind it, which count and throttle in virtual time. Costs a second. */
import { expect, it } from 'vitest';
import type { DeployedStack } from '../../../bin/operate/waves/deployed.ts';
import { type Target, planWaves, targetOf } from '../../../bin/operate/waves/plan.ts';
import { CHECKS_EVERY_MS, turnsOf, wrongStacks } from '../../../bin/operate/waves/checks.ts';
import { release, type ReleaseCommands } from '../../../bin/operate/waves/release.ts';
import { routePath } from '../../../functions/shared/routes.ts';
import { gatewayOf, methodRatesOf, rateRulesOf, type WebRequest } from '../../kit/gateway.ts';
import { accountTemplateOf, SHARED, templateOf } from '../../kit/template.ts';
import { VirtualTime } from '../../kit/virtual-time.ts';
import { cloud } from './support/cloud.ts';

const LATENCY_MS = 80;
const VERSION = '2.0.0';
/** The address of the runner, which calls every stack. */
const IP = '192.0.2.1';

const FLEET = Array.from({ length: 200 }, (_, at) => `c${at}`).flatMap((company) =>
  (['sandbox', 'production'] as const).map((stage) => targetOf({ company, stage })),
);

const error = (status: number, error_code: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'x-request-id': 'r', 'cache-control': 'no-store', 'www-authenticate': 'Bearer', ...headers },
  body: { errors: [{ error_code, message: '' }], request_id: 'r' },
});
const THROTTLED = error(429, 'too_many_requests', { 'retry-after': '1' });

/** What a stack without faults responds. */
function response(path: string, authorization = 'none') {
  if (path.endsWith('/openapi.json'))
    return { status: 200, headers: {}, body: { info: { version: VERSION }, paths: {} } };
  if (path.endsWith('/jwks.json'))
    return { status: 200, headers: { 'cache-control': 'max-age=60' }, body: { keys: [] } };
  if (path.includes('%')) return error(403, 'forbidden');
  if (path.endsWith('/nowhere') || path.endsWith('/')) return error(404, 'route_not_found');
  return authorization.startsWith('Basic') ? error(400, 'invalid_request') : error(401, 'unauthorized');
}

/** @param unlike what a stack responds that is not well, or whose rates strangers use up */
function world(
  unlike: (request: WebRequest, nowMs: number) => ReturnType<typeof response> | undefined = () => undefined,
) {
  const time = new VirtualTime();
  const nowMs = () => time.nowMs;
  const pause = (ms: number) => time.call(ms, async () => {});
  const rules = rateRulesOf(accountTemplateOf(SHARED.account));
  const gateway = gatewayOf(rules, methodRatesOf(templateOf(SHARED.production)), nowMs);
  const seen = { requests: 0, logins: 0, refused: 0 };
  const fetch = async (url: unknown, { method = 'GET', headers = {} }: RequestInit = {}) => {
    const { host } = new URL(String(url));
    const path = String(url).slice(`https://${host}`.length);
    const request = { method, path, host, headers: headers as Record<string, string>, ip: IP };
    const refused = gateway.refuses(request);
    seen.requests += 1;
    if (path.endsWith('/login')) seen.logins += 1;
    if (refused !== undefined) seen.refused += 1;
    await pause(LATENCY_MS);
    const given =
      refused === undefined
        ? (unlike(request, time.nowMs) ?? response(path, request.headers['authorization']))
        : THROTTLED;
    return {
      status: given.status,
      headers: new Headers(given.headers),
      text: async () => JSON.stringify(given.body),
    } as Response;
  };
  const stacks = new Map(
    FLEET.map(({ stack }) => {
      const outputs = new Map([
        ['Version', VERSION],
        ['BaseUrl', `https://${stack}.test/production`],
      ]);
      return [stack, { name: stack, status: 'UPDATE_COMPLETE', outputs } satisfies DeployedStack];
    }),
  );
  const sending = { fetch, pause, turn: turnsOf(CHECKS_EVERY_MS, nowMs, pause) };
  const back: string[] = [];
  const { commands } = cloud({}, () => undefined);
  const all: ReleaseCommands = {
    ...commands,
    stacks: async () => stacks,
    nowMs,
    pause,
    wrong: (some) => wrongStacks(some, stacks, { version: VERSION, concurrency: 25, sending, say: () => {} }),
    alarms: () => async () => [],
    keepFormer: async () => {},
    async goBack(some) {
      const names = some.map(({ stack }) => stack);
      back.push(...names);
      return { stacks: names, done: true };
    },
    isDone: async () => false,
    markDone: async () => {},
  };
  const roll = async (targets: readonly Target[]) => {
    for (const wave of planWaves(targets, [], 10)) {
      const why = await release(wave, { concurrency: 25, bakeMinutes: 15 }, all);
      if (why !== undefined) return why;
    }
    return undefined;
  };
  return { roll, seen, back };
}

it('a release to 200 companies behind the web ACL of their account sends no login, and meets no 429', async () => {
  const { roll, seen, back } = world();
  expect(await roll(FLEET)).toBeUndefined();
  // Each stack twice, after its deployment and after the bake.
  expect(seen).toEqual({ requests: 2 * FLEET.length * 9, logins: 0, refused: 0 });
  expect(back).toEqual([]);
});

it('of one address, the checks are less than half of the requests that a web ACL has ever allowed', () => {
  expect(60_000 / CHECKS_EVERY_MS).toBeLessThan(3_000 / 2);
});

const SCANNED = targetOf({ company: 'c7', stage: 'production' }).stack;
const isOf = ({ host }: WebRequest, stack: string) => host === `${stack}.test`;

it('a scanner takes every unknown path of one stack → nothing is rolled back', async () => {
  const { roll, back } = world((request) =>
    isOf(request, SCANNED) && /nowhere|\/$/.test(request.path) ? THROTTLED : undefined,
  );
  expect([await roll(FLEET), back]).toEqual([undefined, []]);
});

it('strangers take the rate of the key set of one stack for half a minute → the check waits, and nothing is rolled back', async () => {
  let sinceMs: number | undefined;
  const { roll, back } = world((request, nowMs) => {
    if (!isOf(request, SCANNED) || !request.path.endsWith(routePath('get-jwks', {}))) return undefined;
    sinceMs ??= nowMs;
    return nowMs - sinceMs < 30_000 ? THROTTLED : undefined;
  });
  expect([await roll(FLEET), back]).toEqual([undefined, []]);
});

it('one stack of 298 stays red → it alone is rolled back', async () => {
  const { roll, back } = world((request) =>
    isOf(request, SCANNED) && request.path.endsWith('/openapi.json')
      ? error(503, 'temporarily_unavailable')
      : undefined,
  );
  expect(await roll(FLEET)).toMatch(new RegExp(`^verify finds ${SCANNED} wrong; rolled back: ${SCANNED};`));
  expect(back).toEqual([SCANNED]);
});

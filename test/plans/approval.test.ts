/**
 * Who may let real imports begin (§4.11): each kind of caller, at each point, under each setting and where it is switched between.
 * The whole handlers, in this process. Costs seconds.
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { intake } from '../../functions/handlers/intake.ts';
import type { Approval } from '../../functions/plans/approval.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { planted } from '../kit/planted.ts';
import { ADMIN, CHANGING, PASSWORD } from '../security/support/data.ts';
import { routeOf, verdictOf, type Sent } from '../security/support/target.ts';
import { createService, sendingTo, type Service } from '../security/support/world.ts';

const MACHINE = 'machine';
const PEOPLE = {
  maker: ADMIN,
  sender: CHANGING.replaced,
  another: CHANGING.moved,
  customer: 'ben.castillo@acme.test',
  inactive: CHANGING.deactivated,
  foreign: 'admin@globex.test',
} as const;
type Who = keyof typeof PEOPLE | typeof MACHINE;

let world: Service;
let sendBy: Record<Approval, ReturnType<typeof sendingTo>>;
let tokens: Record<Who, string>;
let digest: string;

const json = { 'content-type': 'application/json' };
const record = (external_record_id: string) => ({
  external_record_id,
  user: { email: ADMIN },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
});

/** An operation on the run, under a setting. */
async function ask(name: string, who: Who, body: object, approval: Approval = 'none') {
  const headers = { ...json, authorization: `Bearer ${tokens[who]}` };
  const path = { company_id: 'acme', ...(name !== 'start-import' && { run_id: 'run' }) };
  return sendBy[approval]({ route: routeOf(name), path, headers, body: JSON.stringify(body) });
}
const bodyOf = async (sent: ReturnType<typeof ask>) => JSON.parse((await sent).text);

const importing = (dry_run: boolean, id = 'r') => ({ dry_run, run_id: 'run', records: [record(id)] });
/** What a caller gets at a point. */
const POINTS = {
  accept: async (who: Who, approval: Approval) => verdictOf(await ask('start-import', who, importing(false), approval)),
  approve: async (who: Who, approval: Approval) =>
    verdictOf(await ask('approve-plan', who, { plan_digest: digest }, approval)),
  apply: async (who: Who, approval: Approval) =>
    verdictOf(await ask('apply-plan', who, { plan_digest: digest }, approval)),
};
type Point = keyof typeof POINTS;

beforeEach(async () => {
  world = await createService();
  const { services } = world;
  sendBy = {
    none: sendingTo({ ...services, approval: 'none' }),
    second: sendingTo({ ...services, approval: 'second' }),
  };
  const people = Object.entries(PEOPLE).map(async ([who, email]) => [who, await tokenOf(email)] as const);
  const machine = [MACHINE, await tokenOfMachine()] as const;
  tokens = Object.fromEntries([...(await Promise.all(people)), machine]) as typeof tokens;
  const found = await world.stores.directory.users('acme', [PEOPLE.inactive], true);
  const deactivated = [...found.values()].map((user) => ({ ...user, license: 'inactive' as const }));
  await planted(world.stores.platform).putUsers(deactivated);
  digest = await plannedBy('maker', ['maker', 'sender']);
});

async function tokenOf(email: string): Promise<string> {
  const sent: Sent = { route: routeOf('login'), headers: json, body: JSON.stringify({ email, password: PASSWORD }) };
  return JSON.parse((await world.send(sent)).text).access_token;
}

async function tokenOfMachine(): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key' }] };
  const client = { kind: 'client', version: 1, company_id: 'acme', client_id: MACHINE, name: 'M', jwks };
  await intake({ facts: [{ ...client, scopes: ['dry-run', 'import', 'read'] }] }, CONTEXT, world.services);
  const now = Math.floor(world.nowMs() / 1_000);
  const claims = { iss: MACHINE, sub: MACHINE, aud: world.parties.issuer, exp: now + 60, iat: now, jti: 'once' };
  const client_assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'key' }).sign(privateKey);
  const form = {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return JSON.parse((await world.send({ route: routeOf('get-token'), headers, body })).text).access_token;
}

/** A plan of a dry run by each sender. Returns its digest. */
async function plannedBy(maker: Who, senders: readonly Who[]): Promise<string> {
  const import_ids: string[] = [];
  for (const [at, who] of senders.entries())
    import_ids.push((await bodyOf(ask('start-import', who, importing(true, `${maker}-${at}`)))).import_id);
  return (await bodyOf(ask('make-plan', maker, { import_ids }))).plan_digest;
}

const NEVER = { customer: '403 forbidden', inactive: '401 unauthorized', foreign: '403 forbidden' } as const;
const every = (verdict: string) => ({ maker: verdict, sender: verdict, another: verdict, machine: verdict, ...NEVER });
const APPROVING = { ...every('200'), machine: '403 insufficient_scope' };
const OWN = '403 approval_by_another';

const TABLE: readonly (readonly [Point, Approval, Readonly<Record<Who, string>>])[] = [
  ['accept', 'none', every('202')],
  ['accept', 'second', every('403 approval_required')],
  ['approve', 'none', APPROVING],
  ['approve', 'second', { ...APPROVING, maker: OWN, sender: OWN }],
  ['apply', 'none', every('202')],
  ['apply', 'second', every('403 approval_required')],
];

describe.each(TABLE)('%s, with the setting %s, of a plan that nobody approved', (point, approval, expected) => {
  it.each(Object.entries(expected))('%s: %s', async (who, verdict) => {
    expect(await POINTS[point](who as Who, approval)).toBe(verdict);
  });
});

/** Who approves under which setting, then who applies under which. */
const SWITCHED: readonly (readonly [Who, Approval, Who, Approval, string])[] = [
  ['another', 'second', 'maker', 'second', '202'],
  ['another', 'second', 'sender', 'second', '202'],
  ['another', 'second', 'another', 'second', '202'],
  ['another', 'second', 'machine', 'second', '202'],
  ['another', 'second', 'customer', 'second', '403 forbidden'],
  ['another', 'second', 'inactive', 'second', '401 unauthorized'],
  ['another', 'second', 'foreign', 'second', '403 forbidden'],
  ['another', 'none', 'maker', 'second', '202'],
  ['maker', 'none', 'maker', 'second', '403 approval_required'],
  ['maker', 'none', 'another', 'second', '403 approval_required'],
  ['sender', 'none', 'another', 'second', '403 approval_required'],
  ['maker', 'none', 'maker', 'none', '202'],
  ['maker', 'second', 'maker', 'none', '202'],
];

it.each(SWITCHED)(
  '%s approves under %s, and %s applies under %s: %s',
  async (approver, first, applier, then, verdict) => {
    await POINTS.approve(approver, first);
    expect(await POINTS.apply(applier, then)).toBe(verdict);
  },
);

it('an approval that does not count is replaced by one that does', async () => {
  await POINTS.approve('maker', 'none');
  expect(await POINTS.apply('another', 'second')).toBe('403 approval_required');
  expect(await POINTS.approve('another', 'second')).toBe('200');
  expect(await POINTS.apply('maker', 'second')).toBe('202');
});

it('what a machine made is anyone’s to approve, but not what somebody sent of it', async () => {
  digest = await plannedBy('machine', ['machine', 'machine']);
  expect(await POINTS.approve('maker', 'second')).toBe('200');
  digest = await plannedBy('machine', ['machine', 'sender']);
  expect(await POINTS.approve('sender', 'second')).toBe(OWN);
  expect(await POINTS.approve('maker', 'second')).toBe('200');
});

it('a plan that is made again has to be approved again', async () => {
  await POINTS.approve('another', 'second');
  digest = await plannedBy('maker', ['sender']);
  expect(await POINTS.apply('maker', 'second')).toBe('403 approval_required');
});

it('an application goes on where the setting is switched on, and is cancelled without an approval', async () => {
  expect(await POINTS.apply('maker', 'none')).toBe('202');
  expect(await POINTS.apply('maker', 'second')).toBe('200');
  expect(verdictOf(await ask('cancel-run', 'maker', {}, 'second'))).toBe('202');
});

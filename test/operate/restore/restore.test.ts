/**
 * The restore of a table to a point before sessions ended, a key was withdrawn, a person was erased and others lost
 * access: on the table in memory, killed at each of its calls and run again. Costs some seconds.
 */
import { generateKeyPairSync } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { ledger, type LedgerEntry } from '../../../bin/operate/restore/ledger.ts';
import { restore, type Restoring } from '../../../bin/operate/restore/restore.ts';
import { openSession } from '../../../functions/auth/sessions.ts';
import type { TokenPair } from '../../../functions/auth/tokens.ts';
import { isActiveBearer, tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { hasActiveLicense } from '../../../functions/records/identifiers.ts';
import { ANN_ID, COMPANY, ERASE, namesPerson, user } from '../../erasure/person.ts';
import { type ErasureWorld, erasureWorld } from '../../erasure/world.ts';
import { cases } from '../../kit/at-length.ts';
import { execute } from '../../kit/memory-table/commands.ts';
import { clientOf } from '../../kit/memory-table/memory-client.ts';
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import { servicesOver } from '../../kit/world.ts';

const BEN = { ...user(8, 'ben@acme.test', 2), user_id: 8, role: 'customer', license: 'active' } as const;
/** Users who are admins with this password at the point, and what the platform says of them afterwards. */
const PASSWORD = 'the old password';
const HIGH = 9_000_000;
const LOST_ACCESS = Object.entries({
  deactivated: { license: 'inactive' },
  demoted: { role: 'customer' },
  deleted: { deleted: true },
  changed: { password: 'the new password' },
  'locked-out': { license: 'inactive', version: 7, force: true },
} as const).map(([name, change], at) => {
  const version = name === 'locked-out' ? HIGH : 2;
  const before = { ...user(20 + at, `${name}@acme.test`, version), role: 'admin', password: PASSWORD };
  return { email: before.email, before, after: { ...before, version: 4, ...change } };
});
const COMPANY_FACT = { kind: 'company', company_id: COMPANY, name: 'Acme', migrations_enabled: true };
const COURSE_FACT = { kind: 'course', company_id: COMPANY, platform_course_id: 300, title: 'New', has_exam: false };
const NATIVE_FACT = { kind: 'progress', company_id: COMPANY, user_id: 8, platform_course_id: 101, completion_pct: 70 };
const { publicKey } = generateKeyPairSync('ed25519');
const KEYS = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] };
const CLIENT_FACT = { kind: 'client', company_id: COMPANY, client_id: 'nightly', name: 'N', jwks: KEYS };
/** Someone without an account. */
const PERSON_FACT = { kind: 'person', company_id: COMPANY, names: ['zoe@gone.test'], erase: true };
/** What happened after the point, apart from the erasure. */
const SINCE = [
  ...LOST_ACCESS.map(({ after }) => after),
  { ...COMPANY_FACT, version: 2, migrations_enabled: false },
  { ...COURSE_FACT, version: 2 },
  { ...NATIVE_FACT, version: 2 },
  { ...CLIENT_FACT, version: 2, scopes: ['read'] },
  PERSON_FACT,
];
const OF_ANN = {
  external_record_id: 'planted',
  user: { email: 'ann.planted@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};

let former: ErasureWorld;
/** The items at the point to restore to. */
let point: readonly Attributes[];
let tokens: TokenPair;
/** Where the log lines after the point begin. */
let since: number;

beforeAll(async () => {
  former = await erasureWorld();
  await former.setUp();
  await former.tell({ ...BEN, version: 2 });
  await former.tell(...LOST_ACCESS.map(({ before }) => before), { ...COMPANY_FACT, version: 1 });
  await former.tell({ ...CLIENT_FACT, version: 1, scopes: ['read', 'revert'] });
  await former.accept('i'.repeat(26), [OF_ANN]);
  await former.comeToRest();
  former.clock.now += 1000;
  tokens = await openSession(former.services, BEN, former.clock.now);
  point = structuredClone([...former.table.items()]);
  former.clock.now += 60_000;
  since = former.telemetry.lines.length;
  await former.tell({ kind: 'user', company_id: COMPANY, id: 8, end_sessions: true }, ERASE);
  await former.comeToRest();
  await former.tell(...SINCE);
});

const factLines = () =>
  former.telemetry.lines
    .slice(since)
    .filter(({ message }) => message.startsWith('A fact was'))
    .map(({ message, fields }) => JSON.stringify({ message, ...fields }));

async function restored() {
  const world = await erasureWorld();
  for (const { pk, sk, ...rest } of point)
    world.table.write({ pk: String(pk), sk: String(sk) }, { pk, sk, ...structuredClone(rest) });
  world.clock.now = former.clock.now;
  let callsLeft = Number.POSITIVE_INFINITY;
  const call = () => {
    callsLeft -= 1;
    if (callsLeft < 0) throw new Error('killed');
  };
  const scanned = () => ({
    Items: [...world.table.items()]
      .filter(({ pk }) => String(pk).startsWith('session#') || pk === 'signing-keys')
      .map(({ pk, sk }) => ({ pk, sk })),
  });
  const client = clientOf(async (command) => {
    call();
    return command instanceof ScanCommand ? scanned() : execute(command, world.table);
  });
  const services = servicesOver({ client, clock: world.clock, queue: world.services.queue });
  const opened: string[] = [];
  const step = (name: string) => async () => {
    call();
    opened.push(name);
  };
  const listed: LedgerEntry[] = [];
  let lines = factLines;
  const restoring: Restoring = {
    pointMs: 0,
    table: 'restored',
    isDeployed: false,
    withoutFacts: false,
    stack: {
      close: step('closed'),
      openWorkers: step('workers'),
      openIntake: step('intake'),
      open: async () => {
        expect(await revived(world)).toEqual([]);
        await step('open')();
      },
      async *factLines() {
        call();
        yield* lines();
      },
    },
    restoreTable: step('restored'),
    list: (entries) => (listed.splice(0, listed.length, ...entries), 'list'),
    database: { client, table: 'table', nowMs: () => world.clock.now, sleep: async () => {}, random: () => 0 },
    services,
    say: () => {},
    sleep: () => world.comeToRest(),
  };
  return {
    world,
    opened,
    listed,
    silence: () => void (lines = () => []),
    run: (options: Partial<Restoring> = {}, kill = Number.POSITIVE_INFINITY) => {
      callsLeft = kill;
      return restore({ ...restoring, ...options });
    },
  };
}

/** Those who can do with the password of the point what they no longer may. */
async function revived({ services, stores }: ErasureWorld): Promise<string[]> {
  const found: string[] = [];
  for (const { email } of LOST_ACCESS) {
    const login = await stores.access.findLogin(email);
    const bearer = login && (await stores.directory.users(COMPANY, [email], true)).get(email);
    const isIn = hasActiveLicense(bearer) && (await services.passwords.verify(PASSWORD, bearer.password_hash));
    if (isIn && (email !== 'demoted@acme.test' || bearer.role === 'admin')) found.push(email);
  }
  return found;
}

async function passes({ services, clock }: ErasureWorld, token: string): Promise<boolean> {
  const { parties, stores } = services;
  const claims = await tokenVerifier({ ...parties, keys: stores.signingKeys }).verifyAccess(token, clock.now);
  if (claims === undefined || 'client_id' in claims) return false;
  const { session, user: bearer } = await stores.access.readAccess(claims);
  return session !== undefined && isActiveBearer(claims, session, bearer, clock.now);
}

/** The person, the ended token and the withdrawn key, wherever they are. */
const leftIn = async (world: ErasureWorld) => ({
  token: await passes(world, tokens.access_token),
  keys: (await world.stores.signingKeys.list()).length,
  sessions: [...world.table.items()].filter(({ sk }) => sk === 'session').length,
  person: world.findings().filter((finding) => namesPerson(finding)),
});
const NOTHING = { token: false, keys: 0, sessions: 0, person: [] };

const DEPLOYED = { isDeployed: true };

it('a plain copy of an earlier table revives the session, the key, the person and every access', async () => {
  const { world } = await restored();
  expect(await leftIn(world)).toMatchObject({ token: true, keys: 1 });
  expect((await leftIn(world)).person).not.toEqual([]);
  expect(await revived(world)).toEqual(LOST_ACCESS.map(({ email }) => email));
});

it('the restore opens the intake after the deployment, and the API only when the facts that it lists are in', async () => {
  const { world, run, opened, listed } = await restored();
  expect(await run()).toBe('deploy');
  expect(opened).toEqual(['closed', 'restored']);
  expect(await passes(world, tokens.access_token)).toBe(false);
  expect(await revived(world)).toEqual([]);
  expect(await run(DEPLOYED)).toBe('facts');
  expect(opened.slice(2)).toEqual(['restored', 'workers', 'intake']);
  expect(await leftIn(world)).toEqual(NOTHING);
  expect(world.contributions(ANN_ID)).toEqual([]);
  const ids = listed.map(({ kind, user_id, platform_course_id, erased }) => [
    kind,
    user_id,
    platform_course_id,
    erased,
  ]);
  // Who was deleted since the point is listed too: the user is there again.
  expect(new Set(ids)).toEqual(
    new Set([
      ['user', ANN_ID, undefined, true],
      ...LOST_ACCESS.map(({ before }) => ['user', before.id, undefined, false]),
      ['company', undefined, undefined, false],
      ['course', undefined, 300, false],
      ['progress', 8, 101, false],
      ['client', undefined, undefined, false],
      ['person', undefined, undefined, true],
    ]),
  );
  expect(await world.stores.clients.read('nightly')).toBeUndefined();
  await world.tell(...SINCE.map((fact) => ({ ...fact, force: false })));
  expect(await world.stores.clients.read('nightly')).toMatchObject({ scopes: ['read'] });
  expect(await run(DEPLOYED)).toBe('opened');
  expect(listed.map(({ user_id }) => user_id)).toEqual([ANN_ID]);
  expect(await world.stores.directory.users(COMPANY, ['demoted@acme.test'], true)).toEqual(
    new Map([['demoted@acme.test', expect.objectContaining({ role: 'customer', license: 'active' })]]),
  );
});

it('without the facts the API opens once the company is in, and shuts out whose access changed until their facts come', async () => {
  const { world, run } = await restored();
  await run();
  expect(await run({ ...DEPLOYED, withoutFacts: true })).toBe('facts');
  // Facts that are older than the last ones come first.
  await world.tell({ ...COMPANY_FACT, version: 2 }, ...LOST_ACCESS.map(({ before }) => ({ ...before, version: 3 })));
  expect(await revived(world)).toHaveLength(LOST_ACCESS.length - 1);
  expect(await run({ ...DEPLOYED, withoutFacts: true })).toBe('opened');
  expect(await revived(world)).toEqual([]);
  await world.tell(...LOST_ACCESS.map(({ after }) => after));
  const license = async (email: string) =>
    (await world.stores.directory.users(COMPANY, [email], true)).get(email)?.license;
  expect(await Promise.all(LOST_ACCESS.map(({ email }) => license(email)))).toEqual([
    'inactive',
    'active',
    undefined,
    'active',
    'inactive',
  ]);
});

it('a log that names no fact, as one below the level of the intake’s lines, opens nothing until a person says that there were none', async () => {
  const { world, run, silence } = await restored();
  silence();
  expect(await run()).toBe('deploy');
  await world.tell(...SINCE);
  expect(await run(DEPLOYED)).toBe('facts');
  expect(await run({ ...DEPLOYED, withoutFacts: true })).toBe('opened');
});

it('the restore that is killed at any of its calls ends the same way when it is run again, and revives nobody', async () => {
  for (const isDeployed of [false, true]) {
    let kills = 0;
    for (let survived = false; !survived; kills += cases(1, 3)) {
      const { world, run, opened } = await restored();
      if (isDeployed) {
        await run();
        await world.tell(...SINCE.slice(2));
      }
      survived = await run({ isDeployed, withoutFacts: true }, kills).then(
        () => true,
        () => false,
      );
      expect(opened.includes('open')).toBe(survived && isDeployed);
      await run();
      expect(await revived(world)).toEqual([]);
      await world.tell(...SINCE);
      expect(await run(DEPLOYED)).toBe('opened');
      expect(await leftIn(world)).toEqual(NOTHING);
    }
    expect(kills).toBeGreaterThan(20);
  }
});

it.each<[string, Record<string, unknown>[], Partial<LedgerEntry>]>([
  ['the highest version counts, in any order', [{ fact_version: 5 }, { fact_version: 4 }], { version: 5 }],
  [
    'a forced version counts from its line on',
    [{ fact_version: 9 }, { fact_version: 5, forced: true }],
    { version: 5 },
  ],
  [
    'a forced version that comes again does not',
    [
      { fact_version: 5, forced: true },
      { fact_version: 6 },
      { fact_version: 5, forced: true, message: 'A fact was stored before.' },
    ],
    { version: 6, forced: [5] },
  ],
  [
    'a change that is not known may be of the access',
    [{ fact_version: 5 }, { fact_version: 5, message: 'A fact was stored before.', role_changed: undefined }],
    { version: 5, changesAccess: true },
  ],
  ['a change of the name is not', [{ fact_version: 5 }], { changesAccess: false }],
])('of the lines about an entity %s', (_, lines, expected) => {
  const read = ledger();
  const unchanged = { license_changed: false, role_changed: false, password_changed: false, address_changed: false };
  const line = {
    message: 'A fact was applied.',
    kind: 'user',
    company_id: COMPANY,
    user_id: 7,
    version: '1.0.0',
    ...unchanged,
  };
  for (const each of lines) read.add(JSON.stringify({ ...line, ...each }));
  expect([...read.entries.values()]).toMatchObject([expected]);
});

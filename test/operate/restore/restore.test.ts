/**
 * The restore of a table to a point before sessions were ended, a key was withdrawn and a person was erased: on the real stores over
 * the table in memory, killed at each of its calls and run again. Costs two seconds.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { restore, type Restoring } from '../../../bin/operate/restore/restore.ts';
import { openSession } from '../../../functions/auth/sessions.ts';
import type { TokenPair } from '../../../functions/auth/tokens.ts';
import { isActiveBearer, tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { ANN_ID, COMPANY, ERASE, namesPerson, user } from '../../erasure/person.ts';
import { type ErasureWorld, erasureWorld } from '../../erasure/world.ts';
import { execute } from '../../kit/memory-table/commands.ts';
import { clientOf } from '../../kit/memory-table/memory-client.ts';
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import { servicesOver } from '../../kit/world.ts';

const BEN = { ...user(8, 'ben@acme.test', 2), user_id: 8, role: 'customer', license: 'active' } as const;
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

beforeAll(async () => {
  former = await erasureWorld();
  await former.setUp();
  await former.tell({ ...BEN, version: 2 });
  await former.accept('i'.repeat(26), [OF_ANN]);
  await former.comeToRest();
  former.clock.now += 1000;
  tokens = await openSession(former.services, BEN, former.clock.now);
  point = structuredClone([...former.table.items()]);
  former.clock.now += 60_000;
  await former.tell({ kind: 'user', company_id: COMPANY, id: 8, end_sessions: true }, ERASE);
  await former.comeToRest();
});

/** The lines that the intake logged of erasures, as the ledger reads them. */
const ledger = () =>
  former.telemetry.lines
    .filter(({ fields }) => fields['erased'] === true)
    .map(({ fields }) => ({
      company_id: String(fields['company_id']),
      user_id: Number(fields['user_id']),
      version: Number(fields['version']),
    }));

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
  const stack = {
    table: 'former',
    signingKey: 'former',
    close: step('closed'),
    openWorkers: step('workers'),
    open: step('open'),
    ledger: async () => (call(), ledger()),
  };
  const restoring: Restoring = {
    started: { to: 'latest', startedAtMs: former.clock.now, formerTable: 'former', formerKey: 'former' },
    table: 'restored',
    stack,
    restoreTable: step('restored'),
    database: { client, table: 'table', nowMs: () => world.clock.now, sleep: async () => {}, random: () => 0 },
    services,
    say: () => {},
    sleep: () => world.comeToRest(),
  };
  return {
    world,
    opened,
    run: (isDeployed = false, kill = Number.POSITIVE_INFINITY) => {
      callsLeft = kill;
      const deployed = isDeployed ? { ...stack, table: 'restored', signingKey: 'next' } : stack;
      return restore({ ...restoring, stack: deployed });
    },
  };
}

async function passes({ services, clock }: ErasureWorld, token: string): Promise<boolean> {
  const { parties, stores } = services;
  const claims = await tokenVerifier({ ...parties, keys: stores.signingKeys }).verifyAccess(token, clock.now);
  if (claims === undefined) return false;
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

it('a plain copy of an earlier table revives the session, the key and the person', async () => {
  const { world } = await restored();
  expect(await leftIn(world)).toMatchObject({ token: true, keys: 1 });
  expect((await leftIn(world)).person).not.toEqual([]);
});

it('the restore opens the stack only after the deployment, with no session, no key and nothing of the person', async () => {
  const { world, run, opened } = await restored();
  expect(await run()).toBe('deploy');
  expect(opened).toEqual(['closed', 'restored']);
  expect(await passes(world, tokens.access_token)).toBe(false);
  expect(await run(true)).toBe('opened');
  expect(opened).toEqual(['closed', 'restored', 'restored', 'workers', 'open']);
  expect(await leftIn(world)).toEqual(NOTHING);
  expect(world.contributions(ANN_ID)).toEqual([]);
});

it('the restore that is killed at any of its calls ends the same way when it is run again', async () => {
  for (const isDeployed of [false, true]) {
    let kills = 0;
    for (let survived = false; !survived; kills += 1) {
      const { world, run, opened } = await restored();
      if (isDeployed) await run();
      survived = await run(isDeployed, kills).then(
        () => true,
        () => false,
      );
      expect(opened.includes('open')).toBe(survived && isDeployed);
      await run();
      expect(await run(true)).toBe('opened');
      expect(await leftIn(world)).toEqual(NOTHING);
    }
    expect(kills).toBeGreaterThan(8);
  }
});

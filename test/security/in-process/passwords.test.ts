/** Passwords, each hash counted where it is computed, and whose failures the throttle counts. Costs seconds. */
import type * as nodeCrypto from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OWASP_COST, scryptPasswords } from '../../../functions/auth/passwords.ts';
import { secureRandom } from '../../../functions/runtime/system.ts';
import { ADMIN, CHANGING, PASSWORD } from '../support/data.ts';
import { routeOf, verdictOf } from '../support/target.ts';
import { createService, sendingTo, type Service } from '../support/world.ts';
import { planted } from '../../kit/planted.ts';

const hashes = vi.hoisted(() => [] as { password: number; salt: number; bytes: number; cost: string }[]);
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof nodeCrypto>();
  const scrypt = (password: string, salt: Buffer, bytes: number, options: object, done: () => void) => {
    hashes.push({ password: Buffer.byteLength(password), salt: salt.length, bytes, cost: JSON.stringify(options) });
    crypto.scrypt(password, salt, bytes, options, done);
  };
  return { ...crypto, scrypt };
});

let world: Service;
let commands: string[];

beforeEach(async () => {
  world = await createService();
  const { client } = world;
  const send = client.send.bind(client) as (command: object) => Promise<unknown>;
  commands = [];
  Object.assign(client, {
    send: (command: object) => {
      commands.push(command.constructor.name);
      return send(command);
    },
  });
  hashes.length = 0;
});

const route = routeOf('login');
const headers = { 'content-type': 'application/json' };

async function attempt(email: string, password = 'wrong', sourceIp = '192.0.2.1') {
  const answered = await world.send({ route, headers, body: JSON.stringify({ email, password }), sourceIp });
  return { ...answered, verdict: verdictOf(answered) };
}

/** The cost of an attempt: calls to the database, hashes and their parameters, but not the password's own length. */
async function workOf(email: string, password?: string) {
  commands = [];
  hashes.length = 0;
  const { verdict } = await attempt(email, password, `192.0.2.${email.length}.${password?.length}`);
  return { verdict, commands, hashes: hashes.map(({ salt, bytes, cost }) => ({ salt, bytes, cost })) };
}

async function deactivate(email: string): Promise<void> {
  for (const user of (await world.stores.directory.users('acme', [email], true)).values())
    await planted(world.stores.platform).putUsers([{ ...user, license: 'inactive' }]);
}

describe('a hash', () => {
  it('a hash is scrypt at the strength that OWASP recommends, as a PHC string with a salt of its own', async () => {
    expect(OWASP_COST).toEqual({ ln: 15, r: 8, p: 3 });
    const passwords = scryptPasswords(secureRandom);
    const [one, other] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(JSON.parse(hashes[0]?.cost ?? '')).toMatchObject({ N: 2 ** 15, r: 8, p: 3 });
  });

  it('every failed login computes exactly one hash of the same cost', async () => {
    await deactivate(CHANGING.deactivated);
    // The first failed login of an instance reads the key of the log's hashes.
    await workOf('nobody-else@acme.test');
    const known = await workOf(ADMIN);
    expect(known.hashes).toHaveLength(1);
    expect(known.verdict).toBe('401 unauthorized');
    for (const [email, password] of [
      ['nobody@acme.test', PASSWORD],
      [CHANGING.deactivated, PASSWORD],
      ['chiara.romano@acme.test', PASSWORD],
      [ADMIN, ''],
      [ADMIN, 'x'.repeat(12_000)],
    ] as const) {
      expect(await workOf(email, password)).toEqual(known);
    }
  });

  it('a login that succeeds computes exactly one hash', async () => {
    expect(await workOf(ADMIN, PASSWORD)).toMatchObject({ verdict: '201', hashes: [{ salt: 16, bytes: 32 }] });
  });

  it('a wrong password for a hash of lower cost computes another one of the current cost', async () => {
    world.send = sendingTo({ ...world.services, passwords: scryptPasswords(secureRandom, { ln: 5, r: 8, p: 1 }) });
    const costs = async (email: string, password?: string) =>
      (await workOf(email, password)).hashes.map(({ cost }) => JSON.parse(cost).N as number);
    expect(await costs('nobody@acme.test')).toEqual([32]);
    expect(await costs(ADMIN)).toEqual([16, 32]);
    expect(await costs(ADMIN, PASSWORD)).toEqual([16, 32]);
  });

  it('a password of more than a kilobyte is never hashed', async () => {
    await attempt(ADMIN, 'x'.repeat(1024));
    await attempt(ADMIN, 'x'.repeat(1025));
    await attempt(ADMIN, '\ud800');
    expect(hashes.map(({ password }) => password)).toEqual([1024, 0, 0]);
  });
});

it('an attempt counts for the source address of the request, not for one in its headers', async () => {
  const verdicts = new Set<string>();
  for (let at = 0; at < 12; at += 1) {
    const claimed = `203.0.113.${at}`;
    const named = { ...headers, 'x-forwarded-for': claimed, forwarded: `for=${claimed}`, 'x-real-ip': claimed };
    const body = JSON.stringify({ email: ADMIN, password: 'wrong' });
    verdicts.add(verdictOf(await world.send({ route, headers: named, body })));
  }
  expect([...verdicts]).toEqual(['401 unauthorized', '429 too_many_requests']);
});

/** The effects of a fact about a user on the login and on open sessions (§5.1). In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { applyUserFact, endSessions } from '../../functions/platform/user-facts.ts';
import { login } from '../../functions/auth/login.ts';
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { isActiveBearer } from '../../functions/auth/verify-token.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import type { UserRow } from '../../functions/platform/rows.ts';
import type { FactServices, UserFact } from '../../functions/platform/facts.ts';
import { COMPANY } from '../kit/api-event.ts';
import { createWorld } from '../kit/world.ts';
import { user } from './small-file.ts';

const ANA: UserRow = { ...user, avatar: '' };
const SECOND_MS = 1000;
const WEAK = scryptPasswords(secureRandom, { ln: 14, r: 8, p: 1 });

/** As for an unknown user: the stored one is read when the first write is refused. */
const apply = (fact: UserFact, services: FactServices) => applyUserFact(fact, undefined, services);

function platform() {
  const { services, clock, stores } = createWorld();
  const of = { company_id: 'acme', id: 7 };
  let version = 0;
  return {
    stores,
    services,
    clock,
    say: async (row?: Partial<UserRow>, at = (version += 1)) => {
      clock.now += SECOND_MS;
      const fact = { kind: 'user' as const, version: at, of };
      return apply(row === undefined ? fact : { ...fact, row: { ...ANA, ...row } }, services);
    },
    endAll: async () => {
      clock.now += SECOND_MS;
      return endSessions({ kind: 'user', of, ends_sessions: true }, services);
    },
    stored: async (email = ANA.email) => (await stores.directory.users('acme', [email], true)).get(email),
  };
}

describe('open sessions', () => {
  it.each<[string, Partial<UserRow>, Partial<UserRow> | undefined, boolean]>([
    ['end with a new password', { password: 'password one' }, { password: 'password two' }, true],
    ['end when the password is taken away', { password: 'password one' }, {}, true],
    ['end when the license becomes inactive', {}, { license: 'inactive' }, true],
    ['end with another address', {}, { email: 'ana.b@acme.test' }, true],
    [
      'stay open with the same password',
      { password: 'password one' },
      { password: 'password one', name: 'Ann' },
      false,
    ],
    ['stay open with another role or spelling', {}, { role: 'admin', email: 'ANA@acme.test' }, false],
  ])('open sessions %s', async (_, before, after, ends) => {
    const { say, stored, clock } = platform();
    await say(before);
    expect((await stored())?.sessions_valid_from).toBeUndefined();
    expect(await say(after)).toMatchObject({ status: 'applied' });
    const now = new Date(clock.now).toISOString();
    expect((await stored(after?.email))?.sessions_valid_from).toBe(ends ? now : undefined);
  });

  it('ended sessions stay ended when the license or the user returns', async () => {
    const { say, stored, clock } = platform();
    await say({});
    await say({ license: 'inactive' });
    const ended = (await stored())?.sessions_valid_from;
    await say({});
    expect((await stored())?.sessions_valid_from).toBe(ended);
    await say();
    expect(await stored()).toBeUndefined();
    await say({});
    expect((await stored())?.sessions_valid_from).toBe(new Date(clock.now).toISOString());
  });

  it('an operator ends sessions without a version and changes nothing else of the user', async () => {
    const { say, endAll, stored, stores, clock } = platform();
    await say({ password: 'password one' });
    const before = await stored();
    expect(await endAll()).toEqual({ status: 'applied' });
    const sessions_valid_from = new Date(clock.now).toISOString();
    expect(await stored()).toEqual({ ...before, sessions_valid_from });
    expect(await stores.platform.knownUsers([{ company_id: 'acme', user_id: 7 }])).toMatchObject([{ version: 1 }]);
    expect(await say({ password: 'password one', name: 'Ann' })).toEqual({ status: 'applied', changed: [] });
    expect((await stored())?.sessions_valid_from).toBe(sessions_valid_from);
  });

  it('the sessions of an unknown user cannot be ended', async () => {
    const { say, endAll } = platform();
    const rejected = { status: 'rejected', problems: [{ path: 'id', rule: 'belongs to no user of this company' }] };
    expect(await endAll()).toEqual(rejected);
    await say({});
    await say();
    expect(await endAll()).toEqual(rejected);
  });

  it('ended sessions stay ended where a fact had read the user before an operator ended them', async () => {
    const { say, endAll, stored, services, stores, clock } = platform();
    await say({});
    const id = { company_id: 'acme', user_id: 7 };
    const [known] = await stores.platform.knownUsers([id]);
    await endAll();
    const of = { company_id: 'acme', id: 7 };
    const renamed: UserFact = { kind: 'user', version: 2, of, row: { ...ANA, name: 'Ann' } };
    expect(await applyUserFact(renamed, known, services)).toMatchObject({ status: 'applied' });
    expect(await stored()).toMatchObject({ name: 'Ann', sessions_valid_from: new Date(clock.now).toISOString() });
  });

  it('the second delivery of an end of sessions ends none that began since, also after another fact', async () => {
    const { say, endAll, services, clock } = platform();
    await say({});
    await endAll();
    const sentMs = clock.now;
    await say({ name: 'Ann' });
    const again = { kind: 'user', of: { company_id: 'acme', id: 7 }, ends_sessions: true } as const;
    expect(await endSessions(again, { ...services, sentMs })).toEqual({ status: 'stale' });
  });

  it('ended sessions stay ended under a clock that is behind', async () => {
    const { say, stored, clock } = platform();
    await say({});
    await say({ license: 'inactive' });
    const ended = (await stored())?.sessions_valid_from;
    clock.now -= 3600 * SECOND_MS;
    await say({ password: 'another one' });
    expect((await stored())?.sessions_valid_from).toBe(ended);
  });
});

it.each<[string, Partial<UserRow>]>([
  ['the password has changed', { password: 'password two' }],
  ['the license was inactive for a while', { password: 'password one', license: 'inactive' }],
])('a token of an earlier session is refused for good once %s; one of a new login is not', async (_, change) => {
  const { say, services, clock } = platform();
  await services.stores.platform.saveCompany(COMPANY.company_id, COMPANY, 1);
  const logIn = async (password: string) => {
    clock.now += SECOND_MS;
    const outcome = await login(services, { email: ANA.email, password, sourceIp: '192.0.2.1' }, clock.now);
    return outcome.kind === 'success' ? outcome.tokens : undefined;
  };
  const isAccepted = async (token = '') => {
    const claims = await services.verifier.verifyAccess(token, clock.now);
    if (claims === undefined || 'client_id' in claims) return false;
    const { session, user } = await services.stores.access.readAccess(claims);
    return session !== undefined && isActiveBearer(claims, session, user, clock.now);
  };
  await say({ password: 'password one' });
  const former = await logIn('password one');
  expect(await isAccepted(former?.access_token)).toBe(true);
  await say(change);
  expect(await isAccepted(former?.access_token)).toBe(false);
  await say({ ...change, license: 'active' });
  expect(await isAccepted(former?.access_token)).toBe(false);
  expect(await isAccepted((await logIn(change.password ?? ''))?.access_token)).toBe(true);
});

describe('a password', () => {
  it('a password is stored as a hash', async () => {
    const { say, stored, services } = platform();
    await say({ password: 'password one' });
    expect(await services.passwords.verify('password one', (await stored())?.password_hash)).toBe(true);
  });

  it('the hash of a password is the same password after a login has replaced the hash', async () => {
    const { say, stored, stores, services } = platform();
    const password_hash = await WEAK.hash('password one');
    await say({ password_hash });
    const renewed = await services.passwords.hash('password one');
    await stores.access.replacePasswordHash({ ...ANA, password_hash }, renewed);
    await say({ password_hash, name: 'Ann' });
    expect(await stored()).toMatchObject({ name: 'Ann', password_hash: renewed });
    expect(await stored()).not.toHaveProperty('sessions_valid_from');
    await say({ password: 'password one', name: 'Annie' });
    expect(await stored()).toMatchObject({ name: 'Annie', password_hash: renewed });
  });
});

it('the address of another user is rejected until that user has another one', async () => {
  const { say, stored, services } = platform();
  await say({});
  const bo = (email: string, version: number) => {
    const of = { company_id: 'other', id: 1 };
    return apply({ kind: 'user', version, of, row: { ...ANA, ...of, email } }, services);
  };
  const taken = [{ path: 'email', rule: 'belongs to another user of this stack' }];
  expect(await bo('ANA@acme.test', 5)).toEqual({ status: 'rejected', problems: taken });
  await say({ email: 'ana.b@acme.test' });
  expect(await bo('ANA@acme.test', 5)).toMatchObject({ status: 'applied' });
  expect([await stored(), (await stored('ana.b@acme.test'))?.user_id]).toEqual([undefined, 7]);
});

it.each<[string, Partial<UserRow> | undefined, readonly string[]]>([
  ['another name', { name: 'Ann' }, []],
  ['an inactive license and a role', { license: 'inactive', role: 'admin' }, ['license', 'role']],
  ['a password', { password: 'password one' }, ['password']],
  ['another spelling of the address', { email: 'ANA@acme.test' }, []],
  ['another address', { email: 'ana.b@acme.test' }, ['address']],
  ['a deletion', undefined, ['license', 'role', 'address']],
])('a fact with %s reports what an audit asks for', async (_, row, changed) => {
  const { say } = platform();
  expect(await say({})).toEqual({ status: 'applied', changed: ['license', 'role', 'address'] });
  expect(await say(row)).toEqual({ status: 'applied', changed });
});

it('the former addresses of a user are kept, newest first, without the present one, after a deletion too', async () => {
  const { say, services } = platform();
  const former = async () =>
    (await services.stores.platform.knownUsers([{ company_id: 'acme', user_id: 7 }]))[0]?.former_emails;
  for (const email of ['A@acme.test', 'b@acme.test', 'c@acme.test', 'a@acme.test']) await say({ email });
  expect(await former()).toEqual(['c@acme.test', 'b@acme.test']);
  await say();
  expect(await former()).toEqual(['a@acme.test', 'c@acme.test', 'b@acme.test']);
});

it('facts that arrive at the same moment are applied one after the other', async () => {
  const { stored, services } = platform();
  const fact = (version: number) => {
    const of = { company_id: 'acme', id: 7 };
    const row = { ...ANA, name: `Ana ${version}`, email: `ana-${version}@acme.test` };
    return apply({ kind: 'user', version, of, row }, services);
  };
  await Promise.all([3, 1, 4, 2].map(fact));
  expect(await stored('ana-4@acme.test')).toMatchObject({ name: 'Ana 4' });
  for (const lost of [1, 2, 3]) expect(await stored(`ana-${lost}@acme.test`)).toBeUndefined();
});

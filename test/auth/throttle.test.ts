/** The throttle of failed logins (§5 point 1), by its effect on login. In memory; costs milliseconds. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { login } from '../../functions/auth/login.ts';
import { loggedAddress, loginThrottleStore, type LoginThrottleStore } from '../../functions/auth/throttle.ts';
import { secureRandom, systemWaiting } from '../../functions/runtime/system.ts';
import { execute } from '../kit/memory-table/commands.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { MemoryTable } from '../kit/memory-table/memory-table.ts';
import { PASSWORD, useAuthServices } from '../kit/auth-services.ts';

const setting = useAuthServices();

const attempt = (email: string, password = PASSWORD, sourceIp = '192.0.2.1') =>
  login(setting().services, { email, password, sourceIp }, setting().clock.now);

const kinds = async (attempts: Promise<{ kind: string }>[]) => (await Promise.all(attempts)).map(({ kind }) => kind);

async function fail(times: number, email: string, sourceIp?: string): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) await attempt(email, 'wrong', sourceIp);
}

describe('the throttle', () => {
  it.each(['admin@acme.test', 'nobody@acme.test'])(
    'an account, %s, may fail ten times from one address; then logins are refused before hashing',
    async (email) => {
      await fail(10, email);
      const verify = vi.spyOn(setting().services.passwords, 'verify');
      expect(await attempt(email)).toEqual({ kind: 'throttled', retryAfterSeconds: 300 });
      expect(verify).not.toHaveBeenCalled();
    },
  );

  it('failures of an account are counted under its address in any letter case', async () => {
    await fail(5, 'admin@acme.test');
    await fail(5, 'ADMIN@ACME.TEST');
    expect((await attempt('admin@acme.test')).kind).toBe('throttled');
  });

  it('an account throttled from one address is not locked for other addresses', async () => {
    await fail(10, 'admin@acme.test');
    expect((await attempt('admin@acme.test', PASSWORD, '198.51.100.7')).kind).toBe('success');
  });

  it('the throttle of an account ends five minutes after the first failure', async () => {
    await fail(10, 'admin@acme.test');
    setting().clock.now += 299_999;
    expect(await attempt('admin@acme.test')).toEqual({ kind: 'throttled', retryAfterSeconds: 1 });
    setting().clock.now += 1;
    expect((await attempt('admin@acme.test')).kind).toBe('success');
  });

  it('a success clears the failures of an account', async () => {
    await fail(9, 'admin@acme.test');
    expect((await attempt('admin@acme.test')).kind).toBe('success');
    await fail(9, 'admin@acme.test');
    expect((await attempt('admin@acme.test')).kind).toBe('success');
  });

  it('an address that fails on a hundred accounts is stopped, and only that address', async () => {
    for (let account = 0; account < 100; account += 1) await fail(1, `user${account}@acme.test`);
    expect((await attempt('admin@acme.test')).kind).toBe('throttled');
    expect((await attempt('admin@acme.test', PASSWORD, '198.51.100.7')).kind).toBe('success');
  });

  it('failed logins count, throttled ones do not', async () => {
    await fail(60, 'nobody@acme.test');
    expect((await attempt('admin@acme.test')).kind).toBe('success');
  });

  it('of 50 guesses made at once only ten are checked', async () => {
    const guesses = await kinds(Array.from({ length: 50 }, () => attempt('admin@acme.test', 'wrong')));
    expect(guesses.filter((kind) => kind === 'unauthorized')).toHaveLength(10);
    expect(guesses.filter((kind) => kind === 'throttled')).toHaveLength(40);
  });

  it('the responses to too many guesses made at once do not reveal the right one', async () => {
    const guesses = Array.from({ length: 12 }, () => attempt('admin@acme.test', 'wrong'));
    const { throttle } = setting().services.stores;
    const own = { ...throttle };
    vi.spyOn(throttle, 'clear').mockImplementation(async (...key) => {
      await Promise.all(guesses);
      return own.clear(...key);
    });
    expect((await attempt('admin@acme.test')).kind).toBe('throttled');
  });

  it('the keys of the throttle contain neither the e-mail nor the address', async () => {
    const recordFailure = vi.spyOn(setting().services.stores.throttle, 'recordFailure');
    await fail(1, 'admin@acme.test');
    const key = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
    expect(recordFailure.mock.calls.map(([each]) => each)).toEqual([key, key]);
  });
});

describe('the address in the log of a failed login', () => {
  const stack = () => ({ table: new MemoryTable(), nowMs: () => 0 });
  const instance = ({ table, nowMs }: ReturnType<typeof stack>) =>
    loginThrottleStore({
      client: clientOf(async (command) => execute(command, table)),
      table: 'table',
      nowMs,
      ...systemWaiting,
    });
  const hashed = (store: LoginThrottleStore, email = 'Admin@acme.test') => loggedAddress(store, email, secureRandom);

  it('the hash has a key of the stack, which all instances of the login share, also if they make it at once', async () => {
    const one = stack();
    const hashes = await Promise.all(Array.from({ length: 5 }, () => hashed(instance(one))));
    hashes.push(await hashed(instance(one), 'admin@ACME.test'));
    expect(new Set(hashes).size).toBe(1);
    const [{ pk, sk, key } = {}, ...others] = one.table.items();
    expect([pk, sk, others]).toEqual(['throttle#address-key', 'throttle', []]);
    const expected = createHmac('sha256', Buffer.from(String(key), 'hex'))
      .update('admin@acme.test')
      .digest('hex');
    expect(hashes[0]).toBe(expected.slice(0, 16));
    expect(await hashed(instance(stack()))).not.toBe(hashes[0]);
    expect(await hashed(instance(one), 'other@acme.test')).not.toBe(hashes[0]);
  });

  it('the key is read once by an instance', async () => {
    const { table } = stack();
    let calls = 0;
    const client = clientOf(async (command) => ((calls += 1), execute(command, table)));
    const store = loginThrottleStore({ client, table: 'table', nowMs: () => 0, ...systemWaiting });
    await hashed(store);
    expect(calls).toBe(3);
    await hashed(store, 'other@acme.test');
    expect(calls).toBe(3);
  });
});

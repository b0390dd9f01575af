/** Login and its throttle (§5 point 1). In memory, on a clock of its own; costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { login } from '../../functions/auth/login.ts';
import type { LoginServices } from '../../functions/auth/login.ts';
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { authServices, PASSWORD } from '../kit/auth-services.ts';

let setting: Awaited<ReturnType<typeof authServices>>;
let hashes: (string | undefined)[];
let services: LoginServices;

beforeEach(async () => {
  setting = await authServices();
  hashes = [];
  const { passwords } = setting.services;
  const counting = {
    ...passwords,
    verify: (password: string, phc: string | undefined) => (hashes.push(phc), passwords.verify(password, phc)),
  };
  services = { ...setting.services, passwords: counting };
});

const attempt = (email: string, password = PASSWORD, sourceIp = '192.0.2.1') =>
  login(services, { email, password, sourceIp }, setting.clock.now);

const kinds = async (attempts: Promise<{ kind: string }>[]) => (await Promise.all(attempts)).map(({ kind }) => kind);

async function fail(times: number, email: string, sourceIp?: string): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) await attempt(email, 'wrong', sourceIp);
}

describe('login', () => {
  it('takes the e-mail without regard to ASCII letter case', async () => {
    expect((await attempt('ADMIN@acme.TEST')).kind).toBe('success');
  });

  it('computes exactly one hash and says the same, whatever is wrong', async () => {
    setting.addUser({ email: 'inactive@acme.test', license: 'inactive' });
    setting.memory.users.set('nopassword@acme.test', {
      ...setting.admin,
      email: 'nopassword@acme.test',
      password_hash: undefined,
    } as never);
    const wrong = [
      attempt('admin@acme.test', 'wrong'),
      attempt('nobody@acme.test'),
      attempt('inactive@acme.test'),
      attempt('nopassword@acme.test'),
      attempt('not an address'),
      attempt(`${'a'.repeat(300)}@acme.test`),
    ];
    expect(new Set(await kinds(wrong))).toEqual(new Set(['unauthorized']));
    expect(hashes).toHaveLength(wrong.length);
  });
});

describe('a hash of another cost than hashes have now', () => {
  const user = () => setting.memory.users.get('admin@acme.test');
  const costly = (ln: number) => scryptPasswords(secureRandom, { ln, r: 8, p: 1 });

  it('is made anew by the next login, and only by that', async () => {
    services = { ...services, passwords: costly(5) };
    const old = user()?.password_hash;
    expect((await attempt('admin@acme.test', 'wrong')).kind).toBe('unauthorized');
    expect(user()?.password_hash).toBe(old);
    expect((await attempt('admin@acme.test')).kind).toBe('success');
    expect(user()?.password_hash).toMatch(/^\$scrypt\$ln=5,/);
    const renewed = user()?.password_hash;
    expect((await attempt('admin@acme.test')).kind).toBe('success');
    expect(user()?.password_hash).toBe(renewed);
  });

  it('gives way to a password that was set in the meantime', async () => {
    const passwords = costly(5);
    const hash = async (password: string) => {
      setting.addUser({ password_hash: 'set in the meantime' });
      return passwords.hash(password);
    };
    services = { ...services, passwords: { ...passwords, hash } };
    await attempt('admin@acme.test');
    expect(user()?.password_hash).toBe('set in the meantime');
  });
});

describe('the throttle', () => {
  it.each(['admin@acme.test', 'nobody@acme.test'])(
    'lets %s fail ten times from one address, then answers before hashing',
    async (email) => {
      await fail(10, email);
      hashes = [];
      expect(await attempt(email)).toEqual({ kind: 'throttled', retryAfterSeconds: 300 });
      expect(hashes).toEqual([]);
    },
  );

  it('counts an account by its address in any letter case', async () => {
    await fail(5, 'admin@acme.test');
    await fail(5, 'ADMIN@ACME.TEST');
    expect((await attempt('admin@acme.test')).kind).toBe('throttled');
  });

  it('does not lock the account for other addresses', async () => {
    await fail(10, 'admin@acme.test');
    expect((await attempt('admin@acme.test', PASSWORD, '198.51.100.7')).kind).toBe('success');
  });

  it('ends five minutes after the first failure', async () => {
    await fail(10, 'admin@acme.test');
    setting.clock.now += 299_999;
    expect(await attempt('admin@acme.test')).toEqual({ kind: 'throttled', retryAfterSeconds: 1 });
    setting.clock.now += 1;
    expect((await attempt('admin@acme.test')).kind).toBe('success');
  });

  it('forgets an account after a success', async () => {
    await fail(9, 'admin@acme.test');
    expect((await attempt('admin@acme.test')).kind).toBe('success');
    await fail(9, 'admin@acme.test');
    expect((await attempt('admin@acme.test')).kind).toBe('success');
  });

  it('stops an address that fails on a hundred accounts, and only that address', async () => {
    for (let account = 0; account < 100; account += 1) await fail(1, `user${account}@acme.test`);
    expect((await attempt('admin@acme.test')).kind).toBe('throttled');
    expect((await attempt('admin@acme.test', PASSWORD, '198.51.100.7')).kind).toBe('success');
  });

  it('counts refusals only: what it throttles does not count again', async () => {
    await fail(60, 'nobody@acme.test');
    expect((await attempt('admin@acme.test')).kind).toBe('success');
  });

  it('answers no more than ten guesses made at once', async () => {
    const guesses = await kinds(Array.from({ length: 50 }, () => attempt('admin@acme.test', 'wrong')));
    expect(guesses.filter((kind) => kind === 'unauthorized')).toHaveLength(10);
    expect(guesses.filter((kind) => kind === 'throttled')).toHaveLength(40);
  });

  it('does not reveal a right guess among too many made at once', async () => {
    const guesses = Array.from({ length: 12 }, () => attempt('admin@acme.test', 'wrong'));
    const { throttle } = services.stores;
    services = {
      ...services,
      stores: {
        ...services.stores,
        throttle: { ...throttle, clear: async (...key) => (await Promise.all(guesses), throttle.clear(...key)) },
      },
    };
    expect((await attempt('admin@acme.test')).kind).toBe('throttled');
  });

  it('keeps neither the e-mail nor the address in its keys', async () => {
    const keys: string[] = [];
    const { throttle } = services.stores;
    services = {
      ...services,
      stores: {
        ...services.stores,
        throttle: {
          ...throttle,
          recordFailure: (key, ...rest) => (keys.push(key), throttle.recordFailure(key, ...rest)),
        },
      },
    };
    await fail(1, 'admin@acme.test');
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });
});

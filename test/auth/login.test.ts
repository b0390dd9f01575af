/** Login (§5 point 1). In memory, on a clock of its own; costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { login } from '../../functions/auth/login.ts';
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { PASSWORD, useAuthServices } from '../kit/auth-services.ts';

const setting = useAuthServices();

const attempt = (email: string, password = PASSWORD) =>
  login(setting().services, { email, password, sourceIp: '192.0.2.1' }, setting().clock.now);

const kinds = async (attempts: Promise<{ kind: string }>[]) => (await Promise.all(attempts)).map(({ kind }) => kind);

describe('login', () => {
  it('a login finds the e-mail address in any ASCII letter case', async () => {
    expect((await attempt('ADMIN@acme.TEST')).kind).toBe('success');
  });

  it('a refused login computes exactly one hash and has the same outcome, whatever is wrong', async () => {
    setting().addUser({ email: 'inactive@acme.test', license: 'inactive' });
    setting().memory.users.set('nopassword@acme.test', {
      ...setting().admin,
      email: 'nopassword@acme.test',
      password_hash: undefined,
    } as never);
    const verify = vi.spyOn(setting().services.passwords, 'verify');
    const wrong = [
      attempt('admin@acme.test', 'wrong'),
      attempt('nobody@acme.test'),
      attempt('inactive@acme.test'),
      attempt('nopassword@acme.test'),
      attempt('not an address'),
      attempt(`${'a'.repeat(300)}@acme.test`),
    ];
    expect(new Set(await kinds(wrong))).toEqual(new Set(['unauthorized']));
    expect(verify).toHaveBeenCalledTimes(wrong.length);
  });
});

describe('a hash of another cost than the current one', () => {
  const user = () => setting().memory.users.get('admin@acme.test');
  const costly = (ln: number) => scryptPasswords(secureRandom, { ln, r: 8, p: 1 });

  it('a hash of another cost is replaced by the next login, and only by that', async () => {
    Object.assign(setting().services, { passwords: costly(5) });
    const old = user()?.password_hash;
    expect((await attempt('admin@acme.test', 'wrong')).kind).toBe('unauthorized');
    expect(user()?.password_hash).toBe(old);
    expect((await attempt('admin@acme.test')).kind).toBe('success');
    expect(user()?.password_hash).toMatch(/^\$scrypt\$ln=5,/);
    const renewed = user()?.password_hash;
    expect((await attempt('admin@acme.test')).kind).toBe('success');
    expect(user()?.password_hash).toBe(renewed);
  });

  it('a login that replaces a hash does not overwrite a password that was set in the meantime', async () => {
    const passwords = costly(5);
    const hash = async (password: string) => {
      setting().addUser({ password_hash: 'set in the meantime' });
      return passwords.hash(password);
    };
    Object.assign(setting().services, { passwords: { ...passwords, hash } });
    await attempt('admin@acme.test');
    expect(user()?.password_hash).toBe('set in the meantime');
  });
});

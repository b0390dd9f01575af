/** Sessions without a login, and profiles. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { checkedProfile, checkedUrl, sessionFromEnvironment } from '../../../bin/importer/command/environment.ts';
import { UsageError } from '../../../bin/importer/engine/errors.ts';
import { tokenFor } from '../client/fake-service.ts';

const token = tokenFor(1, 2);
const given = { COURSE_PROGRESS_TOKEN: token, COURSE_PROGRESS_URL: 'https://x' };

describe('sessionFromEnvironment', () => {
  it('a token and an address make a session, for the company of the token', async () => {
    const session = sessionFromEnvironment(given);
    expect(session?.login).toMatchObject({ base_url: 'https://x', auth_base_url: 'https://x', company_id: 'acme' });
    expect(await session?.tokens.read()).toEqual({ access_token: token });
  });

  it('the environment may name another company and another address for logins', () => {
    const more = { ...given, COURSE_PROGRESS_COMPANY: 'other', COURSE_PROGRESS_AUTH_URL: 'https://y' };
    expect(sessionFromEnvironment(more)?.login).toMatchObject({ company_id: 'other', auth_base_url: 'https://y' });
  });

  it('there is no session without a token, and an empty variable counts as not set', () => {
    expect(sessionFromEnvironment({ COURSE_PROGRESS_URL: 'https://x' })).toBeUndefined();
    expect(sessionFromEnvironment({ ...given, COURSE_PROGRESS_TOKEN: '' })).toBeUndefined();
  });

  it('a token without an address is refused, and one of no company', () => {
    expect(() => sessionFromEnvironment({ COURSE_PROGRESS_TOKEN: token })).toThrow('Set both.');
    expect(() => sessionFromEnvironment({ ...given, COURSE_PROGRESS_TOKEN: 'opaque' })).toThrow(
      'Set COURSE_PROGRESS_COMPANY.',
    );
  });
});

describe('addresses', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:1',
    'http://127.9.9.9',
    'http://[::1]:3000',
    'https://x.example',
  ])('an address such as %s may be used', (url) => {
    expect(checkedUrl(url)).toBe(url);
  });

  it.each([
    'http://x.example',
    'http://localhost.x.example',
    'http://127.0.0.1.x.example',
    'http://10.0.0.1',
    'HTTP://X',
  ])('an address such as %s would show the password to anyone on the way, and needs --insecure', (url) => {
    expect(() => checkedUrl(url)).toThrow('--insecure');
    expect(checkedUrl(url, true)).toBe(url);
  });

  it('the address of a token in the environment must be encrypted too', () => {
    const unencrypted = { ...given, COURSE_PROGRESS_AUTH_URL: 'http://x' };
    expect(() => sessionFromEnvironment(unencrypted)).toThrow('not encrypted');
    expect(sessionFromEnvironment({ ...unencrypted, COURSE_PROGRESS_INSECURE: '1' })).toBeDefined();
  });
});

describe('profiles', () => {
  it.each(['../..', 'a/b', String.raw`a\b`, '-x', '', 'a'.repeat(65), 'a b'])(
    'a profile cannot be named %j',
    (name) => {
      expect(() => checkedProfile(name)).toThrow(UsageError);
    },
  );
});

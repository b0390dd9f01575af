/** Sessions without a login, and profiles. Costs milliseconds. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFolder } from '../../bin/cli/config-folder.ts';
import { checkedProfile, sessionFromEnvironment } from '../../bin/cli/environment.ts';
import { UsageError } from '../../bin/cli/errors.ts';
import { tokenFor } from '../client/fake-service.ts';

const token = tokenFor(1, 2);
const given = { COURSE_PROGRESS_TOKEN: token, COURSE_PROGRESS_URL: 'http://x' };

describe('the environment', () => {
  it('gives a session with a token and an address, for the company of the token', async () => {
    const session = sessionFromEnvironment(given);
    expect(session?.login).toMatchObject({ base_url: 'http://x', auth_base_url: 'http://x', company_id: 'acme' });
    expect(await session?.tokens.read()).toEqual({ access_token: token });
  });

  it('may name another company and another address for logins', () => {
    const more = { ...given, COURSE_PROGRESS_COMPANY: 'other', COURSE_PROGRESS_AUTH_URL: 'http://y' };
    expect(sessionFromEnvironment(more)?.login).toMatchObject({ company_id: 'other', auth_base_url: 'http://y' });
  });

  it('gives none without a token, and an empty variable counts as not set', () => {
    expect(sessionFromEnvironment({ COURSE_PROGRESS_URL: 'http://x' })).toBeUndefined();
    expect(sessionFromEnvironment({ ...given, COURSE_PROGRESS_TOKEN: '' })).toBeUndefined();
  });

  it('with a token alone is refused, as is a token of no company', () => {
    expect(() => sessionFromEnvironment({ COURSE_PROGRESS_TOKEN: token })).toThrow('Set both.');
    expect(() => sessionFromEnvironment({ ...given, COURSE_PROGRESS_TOKEN: 'opaque' })).toThrow(
      'Set COURSE_PROGRESS_COMPANY.',
    );
  });
});

describe('a profile', () => {
  it('has a folder of its own', () => {
    const folder = configFolder({ XDG_CONFIG_HOME: '/c' });
    expect(configFolder({ XDG_CONFIG_HOME: '/c', COURSE_PROGRESS_PROFILE: 'staging' })).toBe(
      join(folder, 'profiles', 'staging'),
    );
  });

  it.each(['..', 'a/b', String.raw`a\b`, '-x', '', 'a'.repeat(65), 'a b'])('cannot be named %j', (name) => {
    expect(() => checkedProfile(name)).toThrow(UsageError);
  });
});

/** Login as its handler responds (§4.1). In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../kit/auth-services.ts';
import { codeOf, useSessionCalls } from './session-calls.ts';

const { setting, logIn } = useSessionCalls();

const credentials = { email: 'admin@acme.test', password: PASSWORD };

describe('login', () => {
  it('a login is 201 with exactly a token pair that must not be stored', async () => {
    const { status, headers, body } = await logIn(credentials);
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'refresh_token']);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('a wrong password and an unknown address get the same 401, without a challenge', async () => {
    const wrong = await logIn({ ...credentials, password: 'wrong' });
    const unknown = await logIn({ ...credentials, email: 'nobody@acme.test' });
    expect(codeOf(wrong)).toBe('401 unauthorized');
    expect(wrong).toEqual(unknown);
    expect(wrong.headers['www-authenticate']).toBeUndefined();
  });

  it('the log names the user who logged in, and a hash of the address of a failed login', async () => {
    const logged = () => setting().telemetry.lines.at(-1)?.fields;
    await logIn(credentials);
    const [session] = setting().memory.sessionItems.values();
    expect(logged()).toMatchObject({ status: 201, user_id: 1, company_id: 'acme', session_id: session?.session_id });
    await logIn({ ...credentials, email: 'ADMIN@acme.test', password: 'wrong' });
    const failed = logged();
    expect(failed).toMatchObject({ status: 401, email_hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(failed).not.toHaveProperty('user_id');
    for (let failures = 1; failures < 11; failures += 1) await logIn({ ...credentials, password: 'wrong' });
    expect(logged()).toMatchObject({ status: 429, email_hash: failed?.['email_hash'] });
    await logIn({ email: 'my password', password: 'x' });
    expect(logged()).not.toHaveProperty('email_hash');
  });

  it('where passwords are off, the right one gets the same 401 as any other', async () => {
    Object.assign(setting().services, { takesPasswords: false });
    const right = await logIn(credentials);
    expect(codeOf(right)).toBe('401 unauthorized');
    expect(await logIn({ email: 'nobody@acme.test', password: 'wrong' })).toEqual(right);
    expect(setting().memory.sessionItems.values()).toEqual([]);
  });

  it('a login after ten failures is 429 with Retry-After', async () => {
    for (let failed = 0; failed < 10; failed += 1) await logIn({ ...credentials, password: 'wrong' });
    const response = await logIn(credentials);
    expect(codeOf(response)).toBe('429 too_many_requests');
    expect(response.headers['retry-after']).toBe('300');
  });
});

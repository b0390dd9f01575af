/** Logout as its handler responds (§5.1). In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { useSessionCalls } from './session-calls.ts';

const { openSession, refresh, profile, logOut } = useSessionCalls();

describe('logout', () => {
  it('a logout is 204 without a body, and with the headers of every response but a content type', async () => {
    const { access_token } = await openSession();
    const { status, headers, body } = await logOut(access_token);
    expect([status, body]).toEqual([204, undefined]);
    expect(headers).toEqual({
      'strict-transport-security': expect.stringContaining('max-age='),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': 'request-1',
    });
  });

  it('a logout ends every token of the session from the next request on, and its repeat is 401', async () => {
    const first = await openSession();
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    await logOut(first.access_token);
    const responses = [
      await profile(first.access_token),
      await profile(second.access_token),
      await refresh({ refreshToken: second.refresh_token }),
      await refresh({ refreshToken: first.refresh_token }),
      await logOut(first.access_token),
      await logOut(second.access_token),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it('a logout does not end the other sessions of the user', async () => {
    const [one, other] = [await openSession(), await openSession()];
    await logOut(one.access_token);
    expect((await profile(other.access_token)).status).toBe(200);
    expect((await refresh({ refreshToken: other.refresh_token })).status).toBe(201);
  });
});

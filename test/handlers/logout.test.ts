/** Logout as its handler responds (§5.1). In memory; costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../functions/auth/sessions.ts';
import { getProfile } from '../../functions/handlers/get-profile.ts';
import { logout } from '../../functions/handlers/logout.ts';
import { refreshToken } from '../../functions/handlers/refresh-token.ts';
import { publicOperation } from '../../functions/http/chain.ts';
import { sessionOperation } from '../../functions/http/operations.ts';
import { posted } from '../kit/api-event.ts';
import { authServices } from '../kit/auth-services.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';

let setting: Awaited<ReturnType<typeof authServices>>;

beforeEach(async () => {
  setting = await authServices();
});

const services = () => setting.services;
const logIn = () => openSession(setting.services, setting.admin, setting.clock.now);
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const logOut = (token: string) =>
  invoke(sessionOperation(logout, services), { ...bearer(token), method: 'POST', rawPath: '/api/v1/auth/logout' });
const profile = (token: string) =>
  invoke(sessionOperation(getProfile, services), { ...bearer(token), rawPath: '/api/v1/auth/profile' });
const refresh = (token: string) =>
  invoke(publicOperation(refreshToken, services), {
    ...posted({ refreshToken: token }),
    rawPath: '/api/v1/auth/refresh-token',
  });

describe('logout', () => {
  it('a logout is 204 without a body, and with the headers of every response but a content type', async () => {
    const { access_token } = await logIn();
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
    const first = await logIn();
    const { body: second } = await refresh(first.refresh_token);
    await logOut(first.access_token);
    const answers = [
      await profile(first.access_token),
      await profile(second.access_token),
      await refresh(second.refresh_token),
      await refresh(first.refresh_token),
      await logOut(first.access_token),
      await logOut(second.access_token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it('a logout does not end the other sessions of the user', async () => {
    const [one, other] = [await logIn(), await logIn()];
    await logOut(one.access_token);
    expect((await profile(other.access_token)).status).toBe(200);
    expect((await refresh(other.refresh_token)).status).toBe(201);
  });

  it('a refresh token cannot log out', async () => {
    const { access_token, refresh_token } = await logIn();
    expect((await logOut(refresh_token)).status).toBe(401);
    expect((await profile(access_token)).status).toBe(200);
  });
});

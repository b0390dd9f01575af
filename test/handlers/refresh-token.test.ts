/** Refresh as its handler responds (§5 point 4). In memory; costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../functions/auth/sessions.ts';
import { getProfile } from '../../functions/handlers/get-profile.ts';
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
const refresh = (body: unknown) =>
  invoke(publicOperation(refreshToken, services), { ...posted(body), rawPath: '/api/v1/auth/refresh-token' });
const profile = (token: string) =>
  invoke(sessionOperation(getProfile, services), {
    headers: { authorization: `Bearer ${token}` },
    rawPath: '/api/v1/auth/profile',
  });
const code = ({ status, body }: Awaited<ReturnType<typeof invoke>>) => `${status} ${body.errors?.[0].error_code}`;

describe('refresh', () => {
  it('a refresh is 201 with a new pair', async () => {
    const first = await logIn();
    const { status, body } = await refresh({ refreshToken: first.refresh_token });
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'refresh_token']);
    expect((await profile(body.access_token)).status).toBe(200);
  });

  it('the log names the session of a refresh, also of a refused one', async () => {
    const first = await logIn();
    const [session] = setting.memory.sessionItems.values();
    const subject = { user_id: 1, company_id: 'acme', session_id: session?.session_id };
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    setting.clock.now += 31_000;
    await refresh({ refreshToken: first.refresh_token });
    await refresh({ refreshToken: second.refresh_token });
    const logged = setting.telemetry.lines.map(({ fields }) => fields);
    expect(logged).toMatchObject([201, 401, 401].map((status) => ({ status, ...subject })));
  });

  it.each([{}, { refreshToken: 7 }, { refreshToken: null }, { refresh_token: 'x' }])(
    'a refresh without a text as refreshToken is 400 and names it: %j',
    async (body) => {
      const answer = await refresh(body);
      expect(code(answer)).toBe('400 invalid_request');
      expect(answer.body.errors[0].field).toBe('refreshToken');
    },
  );

  it.each(['', 'x', 'a.b.c'])('a refresh with %j is 401', async (presented) => {
    expect(code(await refresh({ refreshToken: presented }))).toBe('401 unauthorized');
  });

  it('a refresh with an access token is 401', async () => {
    const { access_token } = await logIn();
    expect(code(await refresh({ refreshToken: access_token }))).toBe('401 unauthorized');
  });

  it('a refresh with a token spent long ago ends every token of the session from the next request on', async () => {
    const first = await logIn();
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    setting.clock.now += 31_000;
    expect(code(await refresh({ refreshToken: first.refresh_token }))).toBe('401 unauthorized');
    expect(code(await profile(second.access_token))).toBe('401 unauthorized');
    expect(code(await profile(first.access_token))).toBe('401 unauthorized');
    expect(code(await refresh({ refreshToken: second.refresh_token }))).toBe('401 unauthorized');
  });

  it('each refresh with a spent authentic token is refused as spent, a forged one is not', async () => {
    const message = async (presented: string) => (await refresh({ refreshToken: presented })).body.errors[0].message;
    const first = await logIn();
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    setting.clock.now += 31_000;
    const forged = `${first.refresh_token.slice(0, -8)}AAAAAAAA`;
    expect(await message(forged)).not.toContain('spent');
    expect(await message(first.refresh_token)).toContain('was spent earlier');
    expect(await message(first.refresh_token)).toContain('was spent earlier');
    expect(await message(second.refresh_token)).not.toContain('spent');
  });
});

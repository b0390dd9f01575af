/** The authentication operations as their handlers answer them (§2.1–2.4, §4.1). Memory stores; costs milliseconds. */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { getJwks } from '../../functions/handlers/get-jwks.ts';
import { getProfile } from '../../functions/handlers/get-profile.ts';
import { login } from '../../functions/handlers/login.ts';
import { refreshToken } from '../../functions/handlers/refresh-token.ts';
import { routeNotFound } from '../../functions/handlers/route-not-found.ts';
import { publicOperation, sessionOperation, staticOperation } from '../../functions/http/handler.ts';
import { posted } from '../kit/api-event.ts';
import { authServices, PARTIES, PASSWORD } from '../kit/auth-services.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';

let setting: Awaited<ReturnType<typeof authServices>>;

beforeEach(async () => {
  setting = await authServices();
});

const services = () => setting.services;
const auth = (operation: string) => ({ rawPath: `/api/v1/auth/${operation}` });
const logIn = (body: unknown) => invoke(publicOperation(login, services), { ...posted(body), ...auth('login') });
const refresh = (body: unknown) =>
  invoke(publicOperation(refreshToken, services), { ...posted(body), ...auth('refresh-token') });
const profile = (token: string) =>
  invoke(sessionOperation(getProfile, services), { headers: { authorization: `Bearer ${token}` }, ...auth('profile') });
const jwks = () => invoke(publicOperation(getJwks, services), auth('.well-known/jwks.json'));

const credentials = { email: 'admin@acme.test', password: PASSWORD };
const code = ({ status, body }: Awaited<ReturnType<typeof logIn>>) => `${status} ${body.errors?.[0].error_code}`;

describe('login', () => {
  it('answers 201 with exactly a token pair that must not be stored', async () => {
    const { status, headers, body } = await logIn(credentials);
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'refresh_token']);
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['email', {}],
    ['email', { password: 'x' }],
    ['email', { ...credentials, email: 7 }],
    ['email', { ...credentials, email: null }],
    ['password', { email: 'admin@acme.test' }],
    ['password', { ...credentials, password: ['x'] }],
  ])('names %s where it is missing or no text', async (field, body) => {
    const answer = await logIn(body);
    expect(code(answer)).toBe('400 invalid_request');
    expect(answer.body.errors[0].field).toBe(field);
  });

  it('answers the same 401 to a wrong password and to an unknown address, without a challenge', async () => {
    const wrong = await logIn({ ...credentials, password: 'wrong' });
    const unknown = await logIn({ ...credentials, email: 'nobody@acme.test' });
    expect(code(wrong)).toBe('401 unauthorized');
    expect(wrong).toEqual(unknown);
    expect(wrong.headers['www-authenticate']).toBeUndefined();
  });

  it('answers 429 with Retry-After after ten failures', async () => {
    for (let failed = 0; failed < 10; failed += 1) await logIn({ ...credentials, password: 'wrong' });
    const answer = await logIn(credentials);
    expect(code(answer)).toBe('429 too_many_requests');
    expect(answer.headers['retry-after']).toBe('300');
  });
});

describe('the profile', () => {
  it('has the members of the interface and no other, and never the hash', async () => {
    const { body: tokens } = await logIn(credentials);
    const answer = await profile(tokens.access_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: 1,
      email: 'Admin@Acme.test',
      password: '********',
      name: 'Ada',
      role: 'admin',
      avatar: 'https://acme.test/ada.png',
    });
  });

  it('is not for a refresh token', async () => {
    const { body: tokens } = await logIn(credentials);
    expect(code(await profile(tokens.refresh_token))).toBe('401 unauthorized');
  });
});

describe('refresh', () => {
  it('answers 201 with a new pair', async () => {
    const { body: first } = await logIn(credentials);
    const { status, body } = await refresh({ refreshToken: first.refresh_token });
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'refresh_token']);
    expect((await profile(body.access_token)).status).toBe(200);
  });

  it.each([{}, { refreshToken: 7 }, { refreshToken: null }, { refresh_token: 'x' }])(
    'names refreshToken in %j',
    async (body) => {
      const answer = await refresh(body);
      expect(code(answer)).toBe('400 invalid_request');
      expect(answer.body.errors[0].field).toBe('refreshToken');
    },
  );

  it.each(['', 'x', 'a.b.c'])('answers 401 to %j', async (presented) => {
    expect(code(await refresh({ refreshToken: presented }))).toBe('401 unauthorized');
  });

  it('answers 401 to an access token', async () => {
    const { body } = await logIn(credentials);
    expect(code(await refresh({ refreshToken: body.access_token }))).toBe('401 unauthorized');
  });

  it('of a token spent long ago ends every token of the session from the next request on', async () => {
    const { body: first } = await logIn(credentials);
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    setting.clock.now += 31_000;
    expect(code(await refresh({ refreshToken: first.refresh_token }))).toBe('401 unauthorized');
    expect(code(await profile(second.access_token))).toBe('401 unauthorized');
    expect(code(await profile(first.access_token))).toBe('401 unauthorized');
    expect(code(await refresh({ refreshToken: second.refresh_token }))).toBe('401 unauthorized');
  });
});

describe('the JWKS', () => {
  it('holds public keys only, and verifies every token by its kid', async () => {
    const { body: tokens } = await logIn(credentials);
    const { status, headers, body } = await jwks();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(Object.keys(body.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const { payload } = await jwtVerify(tokens.access_token, createLocalJWKSet(body), {
      ...PARTIES,
      algorithms: ['ES256'],
      currentDate: new Date(setting.clock.now),
    });
    expect(payload.sub).toBe('1');
    expect(decodeProtectedHeader(tokens.access_token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: body.keys[0].kid });
  });

  it('drops a key once no token of its own can be alive', async () => {
    await logIn(credentials);
    setting.clock.now += 2 * 1_728_000_000;
    expect((await jwks()).body).toEqual({ keys: [] });
  });
});

it('an unknown route is a 404 in the envelope, not to be stored under auth', async () => {
  const answer = await invoke(staticOperation(routeNotFound, services), auth('unknown'));
  expect(code(answer)).toBe('404 route_not_found');
  expect(answer.body.request_id).toBe('request-1');
  expect(answer.headers['cache-control']).toBe('no-store');
});

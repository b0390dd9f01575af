/** The public keys that tokens verify with (RFC 7517). In memory; costs milliseconds. */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { handler as getJwks } from '../../functions/handlers/get-jwks.ts';
import { PARTIES } from '../kit/auth-services.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';
import { useSessionCalls } from './session-calls.ts';

const { setting, openSession } = useSessionCalls();
const services = () => setting().services;

const jwks = () => invoke(getJwks.on(services()), { rawPath: '/api/v1/auth/.well-known/jwks.json' });

describe('the JWKS', () => {
  it('the JWKS has public keys only, and verifies every token by its kid', async () => {
    const tokens = await openSession();
    const { status, headers, body } = await jwks();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(Object.keys(body.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const { payload } = await jwtVerify(tokens.access_token, createLocalJWKSet(body), {
      ...PARTIES,
      algorithms: ['ES256'],
      currentDate: new Date(setting().clock.now),
    });
    expect(payload.sub).toBe('1');
    expect(decodeProtectedHeader(tokens.access_token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: body.keys[0].kid });
  });

  it('the JWKS drops a key once all its tokens have expired', async () => {
    await openSession();
    setting().clock.now += 2 * 1_728_000_000;
    expect((await jwks()).body).toEqual({ keys: [] });
  });
});

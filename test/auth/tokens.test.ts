/** The claims of the two kinds of token (§2.2, §5), and their signature. In memory; costs milliseconds. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { ACCESS_TOKEN, REFRESH_TOKEN, signToken } from '../../functions/auth/tokens.ts';
import { secondsOf } from '../../functions/runtime/system.ts';
import { localSigner } from '../kit/local-signer.ts';
import { PARTIES, START_MS } from '../kit/world.ts';

const NOW = secondsOf(START_MS);
const BEARER = { session_id: 'session-1', company_id: 'acme', user_id: 7, email: 'ada@acme.test' };
const ID = { jti: 'jti-1', iat: NOW, exp: NOW + ACCESS_TOKEN.lifetimeSeconds };
const signer = localSigner();

it('an access token names its session, company, user and key, and lives 20 days', async () => {
  const { kid } = await signer.publicKey();
  const token = await signToken({ ...PARTIES, signer, kid }, ACCESS_TOKEN, BEARER, ID);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid, typ: 'at+jwt' });
  expect(decodeJwt(token)).toEqual({
    iss: PARTIES.issuer,
    aud: PARTIES.audience,
    sub: '7',
    sid: 'session-1',
    company_id: 'acme',
    email: 'ada@acme.test',
    jti: 'jti-1',
    iat: NOW,
    exp: NOW + 20 * 86_400,
  });
});

it('the same refresh token signed again has the same claims', async () => {
  const { kid } = await signer.publicKey();
  const issuer = { ...PARTIES, signer, kid };
  const id = { jti: 'jti-2', iat: NOW, exp: NOW + 36_000 };
  const [one, other] = [
    await signToken(issuer, REFRESH_TOKEN, BEARER, id),
    await signToken(issuer, REFRESH_TOKEN, BEARER, id),
  ];
  expect(decodeProtectedHeader(one)).toMatchObject({ typ: 'rt+jwt' });
  expect(decodeJwt(one)).toMatchObject(id);
  expect(decodeJwt(other)).toEqual(decodeJwt(one));
});

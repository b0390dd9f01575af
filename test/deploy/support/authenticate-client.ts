import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import type { LocalStack } from '../../../bin/local/stack.ts';
import { SCOPES } from '../../../functions/shared/codes.ts';
import type { Send } from '../../kit/http-client.ts';
import { functionOf } from './clone-import.ts';

/** A client that is registered, gets a token, calls a function of each role, and is removed. */
export async function authenticateClient(stack: LocalStack, send: Send): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = { kind: 'client', company_id: 'acme', client_id: 'nightly' };
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] };
  await functionOf(stack, 'Intake').attempt({
    facts: [{ ...client, version: 1, name: 'Nightly', jwks, scopes: SCOPES }],
  });
  const { issuer } = (await send('GET', '/api/v1/auth/.well-known/oauth-authorization-server')).body;
  const client_assertion = await new SignJWT({ iss: 'nightly', sub: 'nightly', aud: issuer, jti: 'one' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setExpirationTime('1m')
    .sign(privateKey);
  const form = {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, body } = await send('POST', '/api/v1/auth/token', {
    body: new URLSearchParams(form).toString(),
    headers,
  });
  if (status !== 200) throw new Error(`the token of a client was answered ${status}`);
  const { access_token: token } = body;
  await send('GET', '/v1/migrations/acme/catalog/courses', { token });
  await send('POST', '/api/v1/auth/logout', { token });
  for (const path of ['users/mappings', 'progress/imports', 'progress/imports/x/cancel', 'progress/runs/x/evidence'])
    await send('POST', `/v1/migrations/acme/${path}`, { token, body: {} });
  for (const more of [
    { version: 2, deleted: true },
    { version: 2, deleted: true },
    { version: 1, deleted: true, force: true },
  ])
    await functionOf(stack, 'Intake').attempt({ facts: [{ ...client, ...more }] });
}

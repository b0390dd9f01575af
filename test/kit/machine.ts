/** A client with a key of its own (§5.3): the fact that registers it, and its requests for tokens. */
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { SCOPES } from '../../functions/shared/codes.ts';
import type { EventParts } from './api-event.ts';

export const CLIENT_ID = 'nightly';

export function machine(company_id: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] };
  return {
    fact: { kind: 'client', version: 1, company_id, client_id: CLIENT_ID, name: 'Nightly', jwks, scopes: SCOPES },
    /** @param aud the issuer of the stack */
    asking: async (aud: string, nowMs: number, jti: string): Promise<EventParts> => {
      const exp = Math.floor(nowMs / 1000) + 60;
      const client_assertion = await new SignJWT({ iss: CLIENT_ID, sub: CLIENT_ID, aud, jti, exp })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(privateKey);
      const form = {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion,
      };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { method: 'POST', body: new URLSearchParams(form).toString(), headers };
    },
  };
}

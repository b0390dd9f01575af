/** An ES256 key in memory, behind the port that KMS stands behind in a deployment. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Signer } from '../../functions/auth/tokens.ts';

export async function localSigner(): Promise<Signer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  const kid = await calculateJwkThumbprint(jwk);
  return {
    publicKey: async () => ({ kid, jwk }),
    sign: async (message) => sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

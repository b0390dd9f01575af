/** An ES256 key in memory, made when it is first used, behind the interface that KMS is behind in a deployment. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { PublishedKey, Signer } from '../../functions/auth/tokens.ts';

export function localSigner(): Signer {
  let made: { readonly privateKey: KeyObject; readonly jwk: PublishedKey['jwk'] } | undefined;
  const key = () => (made ??= generateKey());
  return {
    publicKey: async () => ({ kid: await calculateJwkThumbprint(key().jwk), jwk: key().jwk }),
    sign: async (message) => sign('sha256', message, { key: key().privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

function generateKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, jwk: { kty: 'EC', crv: 'P-256', x, y } as const };
}

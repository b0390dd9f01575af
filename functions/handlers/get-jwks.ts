import { secondsOf } from '../runtime/system.ts';
import { publishedKeyList } from '../auth/signing-keys.ts';
import { deployed } from '../dynamodb/deployed.ts';
import { chainServices, publicOperation } from '../http/chain.ts';
import type { PublicOperation, With } from '../http/types.ts';

/** Short, so that a new key is seen soon after its first token. */
const CACHE_SECONDS = 300;

type Services = With<{ signingKeys: ReturnType<typeof publishedKeyList> }>;

/** `GET /api/v1/auth/.well-known/jwks.json`: the public keys that tokens in use verify with (RFC 7517). */
export const getJwks: PublicOperation<Services> = async (_request, { stores, clock }) => {
  const nowSeconds = secondsOf(clock.nowMs());
  const published = (await stores.signingKeys.list()).filter((key) => key.valid_until_seconds > nowSeconds);
  return {
    statusCode: 200,
    headers: { 'cache-control': `public, max-age=${CACHE_SECONDS}` },
    body: { keys: published.map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'ES256' })) },
  };
};

export const handler = publicOperation(
  getJwks,
  deployed((database) => ({ ...chainServices(), stores: { signingKeys: publishedKeyList(database) } })),
);

import { secondsOf } from '../runtime/system.ts';
import { publicOperation } from '../http/chain.ts';
import type { PublicOperation } from '../http/types.ts';
import { liveServices } from '../services/services.ts';

/** Short, so that a new key is seen soon after its first token. */
const CACHE_SECONDS = 300;

/** `GET /api/v1/auth/.well-known/jwks.json`: the public keys that tokens in use verify with (RFC 7517). */
export const getJwks: PublicOperation = async (_request, { stores, clock }) => {
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
  liveServices(() => ({})),
);

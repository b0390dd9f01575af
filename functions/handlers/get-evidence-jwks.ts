import { deployed } from '../dynamodb/deployed.ts';
import { evidenceKeyList } from '../evidence/key-store.ts';
import { chainServices, publicOperation } from '../http/chain.ts';
import type { PublicOperation, With } from '../http/types.ts';

/** A key is never withdrawn; a new one is seen soon. */
const CACHE_SECONDS = 300;

type Services = With<{ evidenceKeys: ReturnType<typeof evidenceKeyList> }>;

/** `GET /api/v1/auth/.well-known/evidence-jwks.json`: every key that ever signed evidence of this stack (§4.10). */
export const getEvidenceJwks: PublicOperation<Services> = async (_request, { stores }) => ({
  statusCode: 200,
  headers: { 'cache-control': `public, max-age=${CACHE_SECONDS}` },
  body: {
    keys: (await stores.evidenceKeys.list()).map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'ES256' })),
  },
});

export const handler = publicOperation(
  getEvidenceJwks,
  deployed((database) => ({ ...chainServices(), stores: { evidenceKeys: evidenceKeyList(database) } })),
);

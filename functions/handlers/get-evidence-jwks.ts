import { jwkSet } from '../auth/signing-keys.ts';
import { deployed } from '../dynamodb/client.ts';
import { evidenceKeyStore } from '../evidence/evidence.ts';
import { chainServices, publicOperation } from '../http/chain.ts';

/** `GET /api/v1/auth/.well-known/evidence-jwks.json`: every key that ever signed evidence of this stack (§4.10). */
export const handler = publicOperation(
  deployed((database) => ({ ...chainServices(), stores: { evidenceKeys: evidenceKeyStore(database) } })),
  async (_request, { stores }) => jwkSet(await stores.evidenceKeys.list()),
);

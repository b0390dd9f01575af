import { secondsOf } from '../runtime/system.ts';
import { jwkSet, publishedKeyList } from '../auth/signing-keys.ts';
import { deployed } from '../dynamodb/client.ts';
import { chainServices, publicOperation } from '../http/chain.ts';

/** `GET /api/v1/auth/.well-known/jwks.json`: the public keys that tokens in use verify with (RFC 7517). */
export const handler = publicOperation(
  deployed((database) => ({ ...chainServices(), stores: { signingKeys: publishedKeyList(database) } })),
  async (_request, { stores, clock }) => {
    const nowSeconds = secondsOf(clock.nowMs());
    const published = (await stores.signingKeys.list()).filter((key) => key.valid_until_seconds > nowSeconds);
    return jwkSet(published);
  },
);

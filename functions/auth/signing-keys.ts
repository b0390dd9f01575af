/** No token leaves before everyone can verify it for all of its life. */
/** Who may call: sessions, throttled logins and signing keys. */
import { ACCESS_TOKEN, type PublishedKey, type Signer } from './tokens.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { anyOf, isBelow } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, updateItem } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { SIGNING_KEYS_PARTITION, TABLE, signingKeyKey } from '../dynamodb/table.ts';

const DAY_SECONDS = 86_400;
/** Renewed while there is still more than a token's life left, so that clocks and retries never matter. */
const MARGIN_SECONDS = DAY_SECONDS;
/** A retired key leaves the set at most two days after the last token it signed. */
const PUBLISHED_FOR_SECONDS = ACCESS_TOKEN.lifetimeSeconds + MARGIN_SECONDS + DAY_SECONDS;

const published = new WeakMap<Signer, { kid: string; validUntilSeconds: number }>();

/** Makes sure the signer's public key is published for longer than any token issued now can live; answers its `kid`. */
export async function publishSigningKey(
  signer: Signer,
  keys: Pick<SigningKeyStore, 'publish'>,
  nowSeconds: number,
): Promise<string> {
  const needed = nowSeconds + ACCESS_TOKEN.lifetimeSeconds + MARGIN_SECONDS;
  const known = published.get(signer);
  if (known && known.validUntilSeconds >= needed) return known.kid;
  const { kid, jwk } = await signer.publicKey();
  const validUntilSeconds = nowSeconds + PUBLISHED_FOR_SECONDS;
  await keys.publish({ kid, jwk, valid_until_seconds: validUntilSeconds });
  published.set(signer, { kid, validUntilSeconds });
  return kid;
}

/** Public signing keys. The validity of a key only grows: tokens that rely on the longer one are out already. */
export function signingKeyStore(database: Database): SigningKeyStore {
  return {
    async publish({ kid, jwk, valid_until_seconds }) {
      const validLonger = isBelow('valid_until_seconds', valid_until_seconds);
      await updateItem(database, signingKeyKey(kid), {
        set: { jwk, valid_until_seconds, [TABLE.expiresAt]: valid_until_seconds },
        when: anyOf(itemIsAbsent, validLonger),
      });
    },

    async read(kid) {
      const item = await getItem(database, signingKeyKey(kid));
      return item && unpackKey(item);
    },

    async list() {
      const items = await queryAll(database, { partition: SIGNING_KEYS_PARTITION, strong: true });
      return items.map(unpackKey);
    },
  };
}

function unpackKey(item: Item): PublishedKey {
  const { jwk, valid_until_seconds } = item as unknown as PublishedKey;
  return { kid: String(item[TABLE.sortKey]), jwk, valid_until_seconds };
}

export interface SigningKeyStore {
  publish(key: PublishedKey): Promise<void>;
  /** Strongly consistent. */
  read(kid: string): Promise<PublishedKey | undefined>;
  list(): Promise<PublishedKey[]>;
}

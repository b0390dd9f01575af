/** The signing key and its publication: before a token is issued, its key is published for longer than the token lives. */
import { ACCESS_TOKEN, type PublishedKey, type Signer } from './tokens.ts';
import { map, number, oneOf, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { anyOf, isBelow } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, updateItem } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { SIGNING_KEYS_PARTITION, TABLE, signingKeyKey } from '../dynamodb/table.ts';

const DAY_SECONDS = 86_400;
/** Renewed while there is still more than a token's life left, so that clocks and retries never matter. */
const MARGIN_SECONDS = DAY_SECONDS;

/** A signer whose key can be found by all who verify, before its first token is issued. */
export interface PublishingSigner extends Signer {
  /** Publishes the key for longer than a token issued now can live; writes only if it must. Returns its `kid`. */
  publish(keys: Pick<SigningKeyStore, 'publish' | 'read'>, nowSeconds: number): Promise<string>;
}

/** Equals the time for which verification remembers a key: after a deletion, all tokens of the key become invalid, or valid again, together. */
const REMEMBER_SECONDS = 300;

/** @param onMissing called when the item of the published key is gone, before the key is published again */
export function publishingSigner(signer: Signer, onMissing: () => void = () => {}): PublishingSigner {
  let published: (PublishedKey & { readonly seenAtSeconds: number }) | undefined;
  return {
    ...signer,
    async publish(keys, nowSeconds) {
      const needed = nowSeconds + ACCESS_TOKEN.lifetimeSeconds + MARGIN_SECONDS;
      if (isLongEnough(published, needed) && nowSeconds - published.seenAtSeconds < REMEMBER_SECONDS)
        return published.kid;
      const stored = published && (await keys.read(published.kid));
      if (published && !stored) onMissing();
      const lasting = isLongEnough(stored, needed) ? stored : await publishNow(signer, keys, nowSeconds);
      published = { ...lasting, seenAtSeconds: nowSeconds };
      return lasting.kid;
    },
  };
}

function isLongEnough<Key extends PublishedKey>(key: Key | undefined, neededSeconds: number): key is Key {
  return key !== undefined && key.valid_until_seconds >= neededSeconds;
}

async function publishNow(signer: Signer, keys: Pick<SigningKeyStore, 'publish'>, nowSeconds: number) {
  // A retired key leaves the set at most two days after the last token it signed.
  const valid_until_seconds = nowSeconds + ACCESS_TOKEN.lifetimeSeconds + MARGIN_SECONDS + DAY_SECONDS;
  const key = { ...(await signer.publicKey()), valid_until_seconds };
  await keys.publish(key);
  return key;
}

export type SigningKeyStore = ReturnType<typeof signingKeyStore>;

/** The published public keys by `kid`. An item expires when no token of its key can be valid. */
export function signingKeyStore(database: Database) {
  return {
    /** The validity of a key only grows, because tokens that rely on the longer one are already issued. */
    async publish({ kid, jwk, valid_until_seconds }: PublishedKey): Promise<void> {
      const validLonger = isBelow('valid_until_seconds', valid_until_seconds);
      await updateItem(database, signingKeyKey(kid), {
        set: { jwk, valid_until_seconds, [TABLE.expiresAt]: valid_until_seconds },
        when: anyOf(itemIsAbsent, validLonger),
      });
    },

    ...publishedKeys(database),
    ...publishedKeyList(database),
  };
}

/** Strongly consistent reads of one key. */
export const publishedKeys = (database: Database) => ({
  async read(kid: string): Promise<PublishedKey | undefined> {
    const item = await getItem(database, signingKeyKey(kid));
    return item && unpackKey(item);
  },
});

/** Strongly consistent reads of all keys. */
export const publishedKeyList = (database: Database) => ({
  async list(): Promise<PublishedKey[]> {
    const items = await queryAll(database, { partition: SIGNING_KEYS_PARTITION, strong: true });
    return items.map(unpackKey);
  },
});

/** The response with these keys (RFC 7517). It may be cached for a short time, so that a new key is seen soon after its first use. */
export const jwkSet = (keys: readonly Pick<PublishedKey, 'kid' | 'jwk'>[]) => ({
  statusCode: 200,
  headers: { 'cache-control': 'public, max-age=300' },
  body: { keys: keys.map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'ES256' })) },
});

/** The public key of a stored item. @throws Error if it is not a key of P-256 */
export function publicJwk(item: Item): PublishedKey['jwk'] {
  const jwk = map(item, 'jwk');
  return { kty: keyType(jwk, 'kty'), crv: curve(jwk, 'crv'), x: text(jwk, 'x'), y: text(jwk, 'y') };
}

function unpackKey(item: Item): PublishedKey {
  return {
    kid: text(item, TABLE.sortKey),
    jwk: publicJwk(item),
    valid_until_seconds: number(item, 'valid_until_seconds'),
  };
}

const keyType = oneOf(['EC']);
const curve = oneOf(['P-256']);

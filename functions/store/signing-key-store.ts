import { TABLE } from '../runtime/environment.ts';
import type { PublishedKey, SigningKeyStore } from '../workflow/ports.ts';
import { anyOf, isBelow } from './conditions.ts';
import type { Database, Item } from './database.ts';
import { SIGNING_KEYS_PARTITION, signingKeyKey } from './keys.ts';
import { queryAll } from './query.ts';
import { getItem, itemIsAbsent, updateItem } from './single-item.ts';

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

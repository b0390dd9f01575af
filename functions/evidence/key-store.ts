/** The public keys that ever signed evidence of this stack, kept for good: evidence has no end (§4.10). */
import type { PublishedKey } from '../auth/tokens.ts';
import { publicJwk } from '../auth/signing-keys.ts';
import type { Database } from '../dynamodb/client.ts';
import { itemIsAbsent, putItem } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { EVIDENCE_KEYS_PARTITION, TABLE, evidenceKeyKey } from '../dynamodb/table.ts';
import { text } from '../dynamodb/attributes.ts';

type EvidenceKey = Pick<PublishedKey, 'kid' | 'jwk'>;

export const evidenceKeyStore = (database: Database) => ({
  /** Harmless to repeat. */
  async publish({ kid, jwk }: EvidenceKey): Promise<void> {
    await putItem(database, { ...evidenceKeyKey(kid), jwk }, itemIsAbsent);
  },

  /** Strongly consistent: a key is published before it signs. */
  async list(): Promise<EvidenceKey[]> {
    const items = await queryAll(database, { partition: EVIDENCE_KEYS_PARTITION, strong: true });
    return items.map((item) => ({ kid: text(item, TABLE.sortKey), jwk: publicJwk(item) }));
  },
});

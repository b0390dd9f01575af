import { BatchGetItemCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { StoredItem } from './attribute-bytes.ts';
import { type ItemKey, keyText } from './writes.ts';

const KEYS_PER_CALL = 100;

/** Looks items up beside the measured client. */
export class StoredItems {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(config: DynamoDBClientConfig, table: string) {
    this.#client = new DynamoDBClient(config);
    this.#table = table;
  }

  destroy(): void {
    this.#client.destroy();
  }

  /** The current items, in the order of the keys. */
  async read(keys: readonly ItemKey[]): Promise<(StoredItem | undefined)[]> {
    const found = new Map<string, StoredItem>();
    for (let from = 0; from < keys.length; from += KEYS_PER_CALL) {
      for (const item of await this.#readBatch(keys.slice(from, from + KEYS_PER_CALL))) {
        found.set(keyText({ pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' }), item);
      }
    }
    return keys.map((key) => found.get(keyText(key)));
  }

  async #readBatch(keys: readonly ItemKey[]): Promise<StoredItem[]> {
    const Keys = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    const request = new BatchGetItemCommand({ RequestItems: { [this.#table]: { Keys, ConsistentRead: true } } });
    const { Responses = {}, UnprocessedKeys = {} } = await this.#client.send(request);
    if (Object.keys(UnprocessedKeys).length > 0) throw new Error('the engine leaves keys unprocessed');
    return Responses[this.#table] ?? [];
  }
}

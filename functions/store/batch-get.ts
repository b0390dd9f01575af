import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry } from './retry.ts';
import type { Database, Item } from './database.ts';
import { batchesOf, inParallel } from './in-parallel.ts';
import { canBeStored, type Key, keyText } from './keys.ts';
import { translated } from './translate-errors.ts';

const KEYS_PER_CALL = 100;
const PARALLEL_CALLS = 8;

/**
 * Reads many items at once: their keys deduplicated, 100 a call, the answers in the order asked. An item that is not there
 * is `undefined`; a key that stays unprocessed is not "absent", it throws `TemporarilyUnavailable`.
 */
export async function batchGet(
  database: Database,
  keys: readonly Key[],
  strong: boolean,
): Promise<(Item | undefined)[]> {
  const distinct = new Map(keys.filter(canBeStored).map((key) => [keyText(key), key]));
  const batches = batchesOf([...distinct.values()], KEYS_PER_CALL);
  const found = await inParallel(batches, PARALLEL_CALLS, (batch) => getBatch(database, batch, strong));
  const byKey = new Map(found.flat().map((item) => [keyText(item as Key), item]));
  return keys.map((key) => byKey.get(keyText(key)));
}

async function getBatch(database: Database, keys: readonly Key[], strong: boolean): Promise<Item[]> {
  const { client, table } = database;
  const found: Item[] = [];
  let open = [...keys];
  for (let fruitless = 0; ;) {
    const request = new BatchGetCommand({ RequestItems: { [table]: { Keys: open, ConsistentRead: strong } } });
    const { Responses, UnprocessedKeys } = await translated(client.send(request));
    found.push(...(Responses?.[table] ?? []));
    const left = (UnprocessedKeys?.[table]?.Keys ?? []) as Key[];
    if (left.length === 0) return found;
    // A call answers at most 16 MB: keys left over by a large answer are no sign of throttling.
    fruitless = left.length < open.length ? 0 : fruitless + 1;
    open = left;
    await pauseBeforeRetry(database, fruitless);
  }
}

import { BatchGetCommand, BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { text } from './attributes.ts';
import type { Database, Item } from './client.ts';
import { translated } from './errors.ts';
import { readable, stamped } from './encoding.ts';
import { TABLE, canBeStored, keyText, type Key } from './table.ts';
import { batchesOf, inParallel, sendUntilDone } from '../runtime/batching.ts';

const KEYS_PER_CALL = 100;
const WRITES_PER_CALL = 25;
const PARALLEL_CALLS = 8;

/**
 * Reads many items at once: their keys deduplicated, 100 a call, the items in the order of the keys. An item that does not
 * exist is `undefined`. A key that stays unprocessed is not "absent": the call throws `TemporarilyUnavailable`.
 */
export async function batchGet(
  database: Database,
  keys: readonly Key[],
  strong: boolean,
): Promise<(Item | undefined)[]> {
  const distinct = new Map(keys.filter(canBeStored).map((key) => [keyText(key), key]));
  const byKey = new Map<string, Item>();
  await inEachBatch(database, [...distinct.values()], KEYS_PER_CALL, async (open) => {
    const request = new BatchGetCommand({ RequestItems: { [database.table]: { Keys: open, ConsistentRead: strong } } });
    const { Responses, UnprocessedKeys } = await translated(database.client.send(request));
    for (const item of Responses?.[database.table] ?? []) byKey.set(keyText(keyIn(item)), readable(item));
    return (UnprocessedKeys?.[database.table]?.Keys ?? []).map(keyIn);
  });
  return keys.map((key) => byKey.get(keyText(key)));
}

const keyIn = (item: Item): Key => ({
  [TABLE.partitionKey]: text(item, TABLE.partitionKey),
  [TABLE.sortKey]: text(item, TABLE.sortKey),
});

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** Puts items without a condition, 25 a call; of two with the same key the last one counts. */
export async function putItems(database: Database, items: readonly (Key & Item)[]): Promise<void> {
  const lastByKey = new Map(items.map((item) => [keyText(item), item]));
  const requests = [...lastByKey.values()].map((Item) => ({ PutRequest: { Item: stamped(Item) } }));
  await write(database, requests);
}

export async function deleteItems(database: Database, keys: readonly Key[]): Promise<void> {
  const requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
  await write(database, requests);
}

async function write(database: Database, requests: readonly WriteRequest[]): Promise<void> {
  await inEachBatch(database, requests, WRITES_PER_CALL, async (open) => {
    const request = new BatchWriteCommand({ RequestItems: { [database.table]: open } });
    const { UnprocessedItems } = await translated(database.client.send(request));
    return UnprocessedItems?.[database.table] ?? [];
  });
}

/**
 * Sends entries in batches of `size`, several at a time, each until nothing of it is left unprocessed.
 *
 * @param send returns the entries that were left unprocessed
 */
export async function inEachBatch<Entry>(
  database: Database,
  entries: readonly Entry[],
  size: number,
  send: (batch: Entry[]) => Promise<Entry[]>,
): Promise<void> {
  const options = { dependency: 'The database', waiting: database };
  await inParallel(batchesOf(entries, size), PARALLEL_CALLS, (batch) => sendUntilDone(batch, send, options));
}

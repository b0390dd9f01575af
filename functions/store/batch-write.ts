import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry } from './retry.ts';
import type { Database, Item } from './database.ts';
import { batchesOf, inParallel } from './in-parallel.ts';
import { type Key, keyText } from './keys.ts';
import { translated } from './translate-errors.ts';

const WRITES_PER_CALL = 25;
const PARALLEL_CALLS = 8;

type WriteRequest =
  | { readonly PutRequest: { readonly Item: Item } }
  | { readonly DeleteRequest: { readonly Key: Key } };

/** Puts items without a condition, 25 a call; of two with the same key the last one counts. */
export async function putItems(database: Database, items: readonly (Key & Item)[]): Promise<void> {
  const lastByKey = new Map(items.map((item) => [keyText(item), item]));
  await writeAll(
    database,
    [...lastByKey.values()].map((Item) => ({ PutRequest: { Item } })),
  );
}

export async function deleteItems(database: Database, keys: readonly Key[]): Promise<void> {
  await writeAll(
    database,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
  );
}

async function writeAll(database: Database, requests: readonly WriteRequest[]): Promise<void> {
  await inParallel(batchesOf(requests, WRITES_PER_CALL), PARALLEL_CALLS, (batch) => writeBatch(database, batch));
}

async function writeBatch(database: Database, requests: readonly WriteRequest[]): Promise<void> {
  const { client, table } = database;
  let open = [...requests];
  for (let fruitless = 0; ;) {
    const { UnprocessedItems } = await translated(
      client.send(new BatchWriteCommand({ RequestItems: { [table]: open } })),
    );
    const left = (UnprocessedItems?.[table] ?? []) as WriteRequest[];
    if (left.length === 0) return;
    fruitless = left.length < open.length ? 1 : fruitless + 1;
    open = left;
    await pauseBeforeRetry(database, fruitless);
  }
}

import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Database, Item } from './client.ts';
import { translated } from './errors.ts';
import { canBeStored, keyText } from './table.ts';
import type { Key } from './table.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { batchesOf, inParallel } from '../runtime/parallel.ts';

const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;
/** What a caller still needs after the last pause to make its call and to answer. */
const RESERVE_MS = 1_500;

/**
 * Waits before the next attempt (1, 2, …) for what a batch left undone: a random part of a doubling delay, so that
 * callers throttled together do not come back together. Throws `TemporarilyUnavailable` once the attempts, or the time
 * left, are used up.
 */
export async function pauseBeforeRetry(
  database: Database,
  attempt: number,
  remainingMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const delayMs = database.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  if (attempt >= MAX_ATTEMPTS || remainingMs - delayMs < RESERVE_MS) {
    throw new TemporarilyUnavailable('the database keeps throttling');
  }
  await database.sleep(delayMs);
}

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

const WRITES_PER_CALL = 25;

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

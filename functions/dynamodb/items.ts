import { dependencyFault, isTransientName } from '../runtime/faults.ts';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Database, Item } from './client.ts';
import { conditionOf, expressionsOf, isAbsent, type Change, type Condition } from './expressions.ts';
import { readable, stamped } from './encoding.ts';
import { TABLE, canBeStored, type Key, keyText } from './table.ts';
import { isObject } from '../records/json.ts';
import { sendUntilDone, batchesOf, inParallel } from '../runtime/batching.ts';
import { text } from './attributes.ts';

/** Awaits a call to the database. A transient fault becomes `TemporarilyUnavailable`; any other is a fault of this service. */
export async function translated<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw dependencyFault(error, 'The database');
  }
}

/** Whether a conditional write succeeded: false where its condition does not hold. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await translated(write);
    return true;
  } catch (error) {
    if (isFailedCondition(error)) return false;
    throw error;
  }
}

/** Whether the error says that a condition did not hold. That of a transaction is found by `failedPosition`. */
export function isFailedCondition(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

interface Cancellation {
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Which write's condition cancelled a transaction; `undefined` for a transient fault. Throws any other error. */
export function failedPosition(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException')
    throw dependencyFault(error, 'The database');
  const { CancellationReasons = [] }: Error & Cancellation = error;
  const codes = CancellationReasons.map(({ Code = 'None' }) => Code);
  const refused = codes.indexOf('ConditionalCheckFailed');
  if (refused !== -1) return refused;
  if (!codes.some((code) => code !== 'None' && !isTransientName(code))) return undefined;
  throw new Error(`The database cancelled a transaction: ${codes.join(', ')}.`);
}

const TOO_LARGE = [/item size/i, / exceeded the maximum allowed size/i];

/** Whether a write was refused because the item would exceed the limit of the database (400 KB). */
export function isItemTooLarge(message: string | undefined): boolean {
  return message !== undefined && TOO_LARGE.every((part) => part.test(message));
}

/** No item has the key: a condition on the key is one on the whole item. */
export const itemIsAbsent: Condition = (bind) => isAbsent(TABLE.partitionKey)(bind);

/** Strongly consistent. */
export async function getItem({ client, table }: Database, key: Key): Promise<Item | undefined> {
  if (!canBeStored(key)) return undefined;
  const { Item } = await translated(client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true })));
  return Item && readable(Item);
}

/** Returns whether the item was written: always, unless `when` does not hold. */
export function putItem({ client, table }: Database, item: Key & Item, when?: Condition): Promise<boolean> {
  return conditionHeld(client.send(new PutCommand({ TableName: table, Item: stamped(item), ...conditionOf(when) })));
}

/** Returns whether the item is gone: always, unless `when` does not hold. @throws TemporarilyUnavailable */
export function deleteItem({ client, table }: Database, key: Key, when?: Condition): Promise<boolean> {
  return conditionHeld(client.send(new DeleteCommand({ TableName: table, Key: key, ...conditionOf(when) })));
}

/** An update that creates an item names its format. */
const named = (change: Change): Change => ({ ...change, setIfAbsent: { ...change.setIfAbsent, ...stamped({}) } });

/** Returns whether `when` held and the change was made. */
export function updateItem({ client, table }: Database, key: Key, change: Change): Promise<boolean> {
  return conditionHeld(client.send(new UpdateCommand({ TableName: table, Key: key, ...expressionsOf(named(change)) })));
}

/** Makes the change if `when` holds. Returns the item as it is stored after the call, and whether this call changed it. */
export async function updateAndRead(database: Database, key: Key, change: Change) {
  const expressions = { ...expressionsOf(named(change)), ReturnValues: 'ALL_NEW' as const };
  const request = new UpdateCommand({ TableName: database.table, Key: key, ...expressions });
  try {
    const { Attributes } = await translated(database.client.send(request));
    return { changed: true, item: Attributes && readable(Attributes) };
  } catch (error) {
    if (!isFailedCondition(error)) throw error;
    return { changed: false, item: await getItem(database, key) };
  }
}

/** One write of a transaction. A removal without a condition succeeds where there is no item. */
export type JointWrite =
  | { readonly put: Key & Item; readonly when?: Condition }
  | { readonly update: Key; readonly change: Change }
  | { readonly remove: Key; readonly when?: Condition };

/** All or none. Returns the position of the first write whose condition fails. No two may name the same item. */
export async function writeTogether(database: Database, writes: readonly JointWrite[]): Promise<number | undefined> {
  const { client, table: TableName } = database;
  const TransactItems = writes.map((write) => {
    if ('put' in write) return { Put: { TableName, Item: stamped(write.put), ...conditionOf(write.when) } };
    if ('remove' in write) return { Delete: { TableName, Key: write.remove, ...conditionOf(write.when) } };
    return { Update: { TableName, Key: write.update, ...expressionsOf(named(write.change)) } };
  });
  let refused: number | undefined;
  const send = async (open: (typeof TransactItems)[]) => {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return [];
    } catch (error) {
      refused = failedPosition(error);
      return refused === undefined ? open : [];
    }
  };
  await sendUntilDone([TransactItems], send, { dependency: 'The database', waiting: database });
  return refused;
}

/** The items that a batch found, by the requested key; absent items are left out. */
export function found<K, V>(
  asked: readonly K[],
  items: readonly (Item | undefined)[],
  unpack: (item: Item) => V,
): Map<K, V> {
  const entries = asked.flatMap((key, position) => {
    const item = items[position];
    return item === undefined ? [] : [[key, unpack(item)] as const];
  });
  return new Map(entries);
}

const COLLECTION_OVERHEAD = 3;
const ELEMENT_OVERHEAD = 1;

/** Size in bytes of an item as DynamoDB counts it: the UTF-8 names of its attributes and their values. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value))
    return value.reduce<number>((sum, element) => sum + ELEMENT_OVERHEAD + valueBytes(element), COLLECTION_OVERHEAD);
  if (!isObject(value)) return 1; // true, false and null
  return COLLECTION_OVERHEAD + ELEMENT_OVERHEAD * Object.keys(value).length + itemBytes(value);
}

/** A byte for every two significant digits, one more, and one for a sign. */
function numberBytes(value: number): number {
  const digits = Math.abs(value).toExponential().split('e')[0]?.replace('.', '').length ?? 1;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text);
}

const KEYS_PER_CALL = 100;
const WRITES_PER_CALL = 25;
const PARALLEL_CALLS = 8;

/** In the order of the keys, `undefined` if absent; for a key left unprocessed throws `TemporarilyUnavailable`. */
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

/** Deletes items without a condition, 25 a call. Keys without an item are no error; no key may be named twice. */
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

/** Sends batches, several at a time, each until `send`, which returns the entries left unprocessed, returns none. */
export async function inEachBatch<Entry>(
  database: Database,
  entries: readonly Entry[],
  size: number,
  send: (batch: Entry[]) => Promise<Entry[]>,
): Promise<void> {
  const options = { dependency: 'The database', waiting: database };
  await inParallel(batchesOf(entries, size), PARALLEL_CALLS, (batch) => sendUntilDone(batch, send, options));
}

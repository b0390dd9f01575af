import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../runtime/environment.ts';
import { type Condition, isAbsent } from './conditions.ts';
import type { Database, Item } from './database.ts';
import { type Change, conditionOf, expressionsOf } from './expressions.ts';
import { canBeStored, type Key } from './keys.ts';
import { conditionHeld, isFailedCondition, translated } from './translate-errors.ts';

/** Holds of an item that does not exist. */
export const itemIsAbsent: Condition = isAbsent(TABLE.partitionKey);

/** Strongly consistent. */
export async function getItem({ client, table }: Database, key: Key): Promise<Item | undefined> {
  if (!canBeStored(key)) return undefined;
  const { Item } = await translated(client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true })));
  return Item;
}

/** Answers whether the item was written: always, unless `when` does not hold. */
export function putItem({ client, table }: Database, item: Key & Item, when?: Condition): Promise<boolean> {
  return conditionHeld(client.send(new PutCommand({ TableName: table, Item: item, ...conditionOf(when) })));
}

export function deleteItem({ client, table }: Database, key: Key, when?: Condition): Promise<boolean> {
  return conditionHeld(client.send(new DeleteCommand({ TableName: table, Key: key, ...conditionOf(when) })));
}

/** Answers whether `when` held and the change was made. */
export function updateItem({ client, table }: Database, key: Key, change: Change): Promise<boolean> {
  return conditionHeld(client.send(new UpdateCommand({ TableName: table, Key: key, ...expressionsOf(change) })));
}

/** Makes the change if `when` holds. Answers the item as it then stands, changed or not, and whether this call did it. */
export async function updateAndRead(
  database: Database,
  key: Key,
  change: Change,
): Promise<{ changed: boolean; item: Item | undefined }> {
  const { client, table } = database;
  const request = new UpdateCommand({ TableName: table, Key: key, ...expressionsOf(change), ReturnValues: 'ALL_NEW' });
  try {
    const { Attributes } = await translated(client.send(request));
    return { changed: true, item: Attributes };
  } catch (error) {
    if (!isFailedCondition(error)) throw error;
    return { changed: false, item: await getItem(database, key) };
  }
}

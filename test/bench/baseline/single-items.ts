import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cloud } from '../design.ts';

type Key = { readonly pk: string; readonly sk: string };

/** Eventually consistent unless asked, as the SDK has it. */
export async function get<T>({ client, table }: Cloud, key: Key, ConsistentRead = false): Promise<T | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead }));
  return Item as T | undefined;
}

export async function put({ client, table }: Cloud, item: Key & Record<string, unknown>): Promise<void> {
  await client.send(new PutCommand({ TableName: table, Item: item }));
}

/** False where an item of that key is there already. */
export async function putIfAbsent({ client, table }: Cloud, item: Key & Record<string, unknown>): Promise<boolean> {
  try {
    const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
    await client.send(new PutCommand({ TableName: table, Item: item, ...condition }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

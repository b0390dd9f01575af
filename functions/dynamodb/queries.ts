import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Database, Item } from './client.ts';
import { translated } from './errors.ts';
import { TABLE } from './table.ts';

type Index = Readonly<{ name?: string; partitionKey: string; sortKey: string }>;

export interface Query {
  readonly partition: string;
  /** A keys-only index of the table; without it the table itself. Indexes are read eventually. */
  readonly index?: Index;
  readonly strong?: boolean;
  readonly newestFirst?: boolean;
  /** A bound on the sort key, as in `> after`. */
  readonly bound?: { readonly operator: '<' | '<=' | '>'; readonly value: string } | undefined;
  readonly limit?: number;
}

const TABLE_KEYS: Index = { partitionKey: TABLE.partitionKey, sortKey: TABLE.sortKey };

/**
 * The items of a partition in the order of their sort keys (UTF-8 bytes), up to `limit`. A single response of the database
 * ends at 1 MB; further pages are read up to the limit or the end.
 */
export async function* query(
  database: Database,
  { partition, index = TABLE_KEYS, limit, ...options }: Query,
): AsyncGenerator<Item> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let position: Item | undefined;
  while (left > 0) {
    const request = new QueryCommand({
      TableName: database.table,
      ...(index.name === undefined ? { ConsistentRead: options.strong ?? false } : { IndexName: index.name }),
      ...keyCondition(index, partition, options.bound),
      ScanIndexForward: options.newestFirst !== true,
      ...(limit === undefined ? {} : { Limit: left }),
      ...(position === undefined ? {} : { ExclusiveStartKey: position }),
    });
    const { Items = [], LastEvaluatedKey } = await translated(database.client.send(request));
    yield* Items;
    left -= Items.length;
    if (LastEvaluatedKey === undefined) return;
    position = LastEvaluatedKey;
  }
}

/** The same, all at once. */
export async function queryAll(database: Database, options: Query): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of query(database, options)) items.push(item);
  return items;
}

function keyCondition(index: Index, partition: string, bound: Query['bound']) {
  const inPartition = '#partition = :partition';
  if (bound === undefined) {
    return {
      KeyConditionExpression: inPartition,
      ExpressionAttributeNames: { '#partition': index.partitionKey },
      ExpressionAttributeValues: { ':partition': partition },
    };
  }
  return {
    KeyConditionExpression: `${inPartition} AND #sort ${bound.operator} :bound`,
    ExpressionAttributeNames: { '#partition': index.partitionKey, '#sort': index.sortKey },
    ExpressionAttributeValues: { ':partition': partition, ':bound': bound.value },
  };
}

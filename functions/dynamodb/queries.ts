import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Database, Item } from './client.ts';
import { translated } from './items.ts';
import { readable } from './encoding.ts';
import { TABLE, shardPartitions, type Sharded } from './table.ts';
import { inParallel } from '../runtime/batching.ts';

type QueriedIndex = Readonly<{ name?: string; partitionKey: string; sortKey: string }>;

/** A read of one partition, of the table or of an index, in the order of the sort keys. */
export interface Query {
  readonly partition: string;
  /** An index of the table; without it the table itself. Indexes are read eventually. */
  readonly index?: QueriedIndex;
  readonly strong?: boolean;
  readonly newestFirst?: boolean;
  readonly above?: string | undefined;
  /** Both ends of the sort keys, each included. */
  readonly between?: readonly [string, string] | undefined;
  readonly after?: Item | undefined;
  /** A condition on the returned entries; entries that do not meet it are read and left out. */
  readonly where?: Readonly<Record<string, unknown>> | undefined;
  readonly limit?: number;
}

const PARALLEL_QUERIES = 8;
const TABLE_KEYS: QueriedIndex = { partitionKey: TABLE.partitionKey, sortKey: TABLE.sortKey };

/** One request: at most `limit` entries are read, and 1 MB. `last`: the key of the last one read, if there may be more. */
export async function queryPage(database: Database, options: Query): Promise<{ items: Item[]; last?: Item }> {
  const { index = TABLE_KEYS, limit, after } = options;
  const request = new QueryCommand({
    TableName: database.table,
    ...(index.name === undefined ? { ConsistentRead: options.strong ?? false } : { IndexName: index.name }),
    ...conditions(index, options),
    ScanIndexForward: options.newestFirst !== true,
    ...(limit !== undefined && { Limit: limit }),
    ...(after && { ExclusiveStartKey: after }),
  });
  const { Items = [], LastEvaluatedKey } = await translated(database.client.send(request));
  return { items: Items.map(readable), ...(LastEvaluatedKey && { last: LastEvaluatedKey }) };
}

/**
 * The items of a partition in the order of their sort keys (UTF-8 bytes), up to `limit`, in as many requests as needed.
 *
 * @param options.atOnce items that one request reads at most; without it 1 MB
 */
export async function* query(
  database: Database,
  { atOnce, ...options }: Query & { readonly atOnce?: number },
): AsyncGenerator<Item> {
  let { limit, after } = options;
  while (limit === undefined || limit > 0) {
    const most = limit ?? atOnce;
    const { items, last } = await queryPage(database, {
      ...options,
      after,
      ...(most !== undefined && { limit: most }),
    });
    yield* items;
    if (last === undefined) return;
    if (limit !== undefined) limit -= items.length;
    after = last;
  }
}

/** All items of a partition in memory. For partitions with few items; others are read by `query`. */
export async function queryAll(database: Database, options: Query): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of query(database, options)) items.push(item);
  return items;
}

interface ShardedQuery {
  readonly company_id: string;
  readonly kind: Sharded;
  readonly after?: string | undefined;
  readonly limit: number;
  readonly strong?: boolean;
}

/** How many items of a shard belong to a page on average, and a few more: the hash does not spread them evenly. */
const shareOf = (limit: number, shards: number): number => {
  const even = limit / shards;
  return Math.min(limit, Math.ceil(even + 2 * Math.sqrt(even)) + 1);
};

const inKeyOrder = (one: Item, other: Item): number =>
  Buffer.compare(Buffer.from(String(one[TABLE.sortKey])), Buffer.from(String(other[TABLE.sortKey])));

/** The first items of all shards by sort key, as if in one partition. A shard is read for its share first. */
export async function querySharded(
  database: Database,
  { company_id, kind, after, limit, strong = false }: ShardedQuery,
): Promise<Item[]> {
  const partitions = shardPartitions(company_id, kind);
  const share = shareOf(limit, partitions.length);
  let merged: Item[] = [];
  let short: { partition: string; after?: Item }[] = partitions.map((partition) => ({ partition }));
  while (short.length > 0) {
    const pages = await inParallel(short, PARALLEL_QUERIES, ({ partition, after: position }) =>
      queryPage(database, { partition, above: after, after: position, limit: share, strong }),
    );
    merged = [...merged, ...pages.flatMap(({ items }) => items)].toSorted(inKeyOrder).slice(0, limit);
    const end = merged.length < limit ? undefined : merged.at(-1);
    short = short.flatMap(({ partition }, position) => {
      const last = pages[position]?.last;
      const hasMore = last !== undefined && (end === undefined || inKeyOrder(last, end) < 0);
      return hasMore ? [{ partition, after: last }] : [];
    });
  }
  return merged;
}

function conditions(index: QueriedIndex, { partition, above, between, where = {} }: Query) {
  const names: Record<string, string> = { '#partition': index.partitionKey };
  const values: Record<string, unknown> = { ':partition': partition };
  const terms = ['#partition = :partition'];
  if (above ?? between) names['#sort'] = index.sortKey;
  if (above !== undefined) {
    terms.push('#sort > :above');
    values[':above'] = above;
  }
  if (between) {
    terms.push('#sort BETWEEN :from AND :to');
    [values[':from'], values[':to']] = between;
  }
  const filters = Object.entries(where).map(([name, value], position) => {
    names[`#filter${position}`] = name;
    values[`:filter${position}`] = value;
    return `#filter${position} = :filter${position}`;
  });
  return {
    KeyConditionExpression: terms.join(' AND '),
    ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

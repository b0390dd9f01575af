/** Query of the table or of one of its indexes, as the store writes it: a partition, bounds on the sort key, a filter. */
import { conditionOf, order, type Predicate } from './expressions.ts';
import type { Attributes, MemoryTable } from './memory-table.ts';
import { itemBytes } from '../../../functions/dynamodb/items.ts';
import { INDEXES, TABLE } from '../../../functions/dynamodb/table.ts';

type Input = Readonly<Record<string, unknown>>;
interface Index {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** The attributes of its entries beside the keys. */
  readonly holds?: readonly string[];
}

const TABLE_KEYS: Index = { partitionKey: TABLE.partitionKey, sortKey: TABLE.sortKey };

/** The most that one request reads, even with a higher limit. */
const MOST_BYTES = 1024 * 1024;
const READ_UNIT_BYTES = 4096;

export function queryPage(input: Input, table: MemoryTable, asOfMs?: number) {
  const name = input['IndexName'] as string | undefined;
  const index = name === undefined ? TABLE_KEYS : (INDEXES.find((each) => each.name === name) ?? TABLE_KEYS);
  const holds = conditionOf(String(input['KeyConditionExpression']));
  const bindings = {
    names: input['ExpressionAttributeNames'] as Record<string, string>,
    values: input['ExpressionAttributeValues'] as Record<string, unknown>,
  };
  const found = inPartition(table, partitionOf(input, index, bindings), { name, index, asOfMs }).filter((item) =>
    holds(item, bindings),
  );
  const inOrder = input['ScanIndexForward'] === false ? found.toReversed() : found;
  const after = startAfter(inOrder, input, index);
  const limit = (input['Limit'] as number | undefined) ?? Number.POSITIVE_INFINITY;
  const asStored = (item: Attributes) => (name === undefined ? item : entryOf(item, index));
  const { page, bytes } = upToMostBytes(after, limit, asStored);
  const last = page.at(-1);
  const wanted = filterOf(input);
  const Items = page.filter((item) => wanted(item, bindings)).map(asStored);
  const strong = input['ConsistentRead'] === true;
  const CapacityUnits = Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (strong ? 1 : 0.5);
  const response = { Items, ConsumedCapacity: { CapacityUnits } };
  // A full page has a key to continue from, as in DynamoDB, which does not read beyond the limit.
  const isFull = page.length === limit || page.length < after.length;
  return isFull && last !== undefined ? { ...response, LastEvaluatedKey: keysOf(last, index) } : response;
}

interface Wanted {
  readonly name: string | undefined;
  readonly index: Index;
  readonly asOfMs: number | undefined;
}

/** Sorted once for all requests until the table is written to. */
const sorted = new WeakMap<MemoryTable, { writes: number; readonly partitions: Map<string, readonly Attributes[]> }>();

function inPartition(table: MemoryTable, partition: string, { name, index, asOfMs }: Wanted): readonly Attributes[] {
  const read = () =>
    [...(name === undefined ? table.items(asOfMs) : table.inIndex(name, partition, asOfMs))]
      .filter((item) => item[index.partitionKey] === partition && item[index.sortKey] !== undefined)
      .toSorted((a, b) => compare(a, b, index));
  if (asOfMs !== undefined) return read();
  const known = sorted.get(table);
  const cache = known?.writes === table.writes ? known : { writes: table.writes, partitions: new Map() };
  sorted.set(table, cache);
  const id = `${name ?? ''} ${partition}`;
  const items = cache.partitions.get(id) ?? read();
  cache.partitions.set(id, items);
  return items;
}

/** The value that the first term of the key condition names. */
function partitionOf(input: Input, index: Index, { names, values }: { names: object; values: object }): string {
  const [, name = '', value = ''] = /^(\S+) = (\S+)/.exec(String(input['KeyConditionExpression'])) ?? [];
  if ((names as Record<string, string>)[name] !== index.partitionKey) throw new Error('a query without a partition');
  return String((values as Record<string, unknown>)[value]);
}

function upToMostBytes(items: readonly Attributes[], limit: number, asStored: (item: Attributes) => Attributes) {
  const page: Attributes[] = [];
  let bytes = 0;
  for (const item of items) {
    if (page.length === limit || bytes >= MOST_BYTES) break;
    page.push(item);
    bytes += itemBytes(asStored(item));
  }
  return { page, bytes };
}

function filterOf({ FilterExpression }: { readonly FilterExpression?: unknown }): Predicate {
  return typeof FilterExpression === 'string' ? conditionOf(FilterExpression) : () => true;
}

function compare(a: Attributes, b: Attributes, { sortKey }: Index): number {
  return order(a[sortKey], b[sortKey]) || order(a['pk'], b['pk']) || order(a['sk'], b['sk']);
}

function startAfter(items: readonly Attributes[], input: Input, index: Index): readonly Attributes[] {
  const start = input['ExclusiveStartKey'] as Attributes | undefined;
  if (start === undefined) return items;
  const direction = input['ScanIndexForward'] === false ? -1 : 1;
  return items.filter((item) => compare(item, start, index) * direction > 0);
}

function entryOf(item: Attributes, index: Index): Attributes {
  const held = (index.holds ?? []).filter((name) => item[name] !== undefined).map((name) => [name, item[name]]);
  return { ...keysOf(item, index), ...Object.fromEntries(held) };
}

function keysOf(item: Attributes, { partitionKey, sortKey }: Index): Attributes {
  const names = new Set(['pk', 'sk', partitionKey, sortKey]);
  return Object.fromEntries([...names].map((name) => [name, item[name]]));
}

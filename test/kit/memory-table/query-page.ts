/** Query of the table or an index, as the store writes it: a partition, bounds on the sort key, a filter. */
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
  const items = inPartition(table, partitionOf(input, index, bindings), { name, index, asOfMs });
  const inOrder = input['ScanIndexForward'] === false ? items.toReversed() : items.slice(firstOf(items, input, index));
  const isAfter = startOf(input, index);
  const after = filtered(inOrder, (item) => isAfter(item) && holds(item, bindings));
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
  const isFull = page.length === limit || after.next().done !== true;
  return isFull && last !== undefined ? { ...response, LastEvaluatedKey: keysOf(last, index) } : response;
}

interface Wanted {
  readonly name: string | undefined;
  readonly index: Index;
  readonly asOfMs: number | undefined;
}

/** Sorted once for all requests until a partition is written to. */
const sorted = new WeakMap<
  MemoryTable,
  Map<string, { readonly writes: number; readonly items: readonly Attributes[] }>
>();

function inPartition(
  table: MemoryTable,
  partition: string,
  { name = '', index, asOfMs }: Wanted,
): readonly Attributes[] {
  const read = () =>
    [...table.inIndex(name, partition, asOfMs)]
      .filter((item) => item[index.partitionKey] === partition && item[index.sortKey] !== undefined)
      .toSorted((a, b) => compare(a, b, index));
  if (asOfMs !== undefined) return read();
  const cache = sorted.get(table) ?? new Map();
  sorted.set(table, cache);
  const [id, writes] = [`${name} ${partition}`, table.writesIn(name, partition)];
  const known = cache.get(id);
  if (known?.writes === writes) return known.items;
  const items = read();
  cache.set(id, { writes, items });
  return items;
}

/** The value that the first term of the key condition names. */
function partitionOf(input: Input, index: Index, { names, values }: { names: object; values: object }): string {
  const [, name = '', value = ''] = /^(\S+) = (\S+)/.exec(String(input['KeyConditionExpression'])) ?? [];
  if ((names as Record<string, string>)[name] !== index.partitionKey) throw new Error('a query without a partition');
  return String((values as Record<string, unknown>)[value]);
}

/** The position of the first item that a lower bound of the sort key lets through; earlier items are skipped. */
function firstOf(items: readonly Attributes[], input: Input, index: Index): number {
  const [, bound = ''] = / (?:BETWEEN|>=?) (:\w+)/i.exec(String(input['KeyConditionExpression'])) ?? [];
  const least = (input['ExpressionAttributeValues'] as Record<string, unknown>)[bound];
  if (least === undefined) return 0;
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (order(items[middle]?.[index.sortKey], least) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Takes no more items than it returns. */
function upToMostBytes(
  items: Generator<Attributes, undefined>,
  limit: number,
  asStored: (item: Attributes) => Attributes,
) {
  const page: Attributes[] = [];
  let bytes = 0;
  while (page.length < limit && bytes < MOST_BYTES) {
    const { value } = items.next();
    if (value === undefined) break;
    page.push(value);
    bytes += itemBytes(asStored(value));
  }
  return { page, bytes };
}

function filterOf({ FilterExpression }: { readonly FilterExpression?: unknown }): Predicate {
  return typeof FilterExpression === 'string' ? conditionOf(FilterExpression) : () => true;
}

function compare(a: Attributes, b: Attributes, { sortKey }: Index): number {
  return order(a[sortKey], b[sortKey]) || order(a['pk'], b['pk']) || order(a['sk'], b['sk']);
}

/** Whether an item comes after the one that the page before ended with. */
function startOf(input: Input, index: Index): (item: Attributes) => boolean {
  const start = input['ExclusiveStartKey'] as Attributes | undefined;
  if (start === undefined) return () => true;
  const direction = input['ScanIndexForward'] === false ? -1 : 1;
  return (item) => compare(item, start, index) * direction > 0;
}

function* filtered(
  items: readonly Attributes[],
  holds: (item: Attributes) => boolean,
): Generator<Attributes, undefined> {
  for (const item of items) if (holds(item)) yield item;
}

function entryOf(item: Attributes, index: Index): Attributes {
  const held = (index.holds ?? []).filter((name) => item[name] !== undefined).map((name) => [name, item[name]]);
  return { ...keysOf(item, index), ...Object.fromEntries(held) };
}

function keysOf(item: Attributes, { partitionKey, sortKey }: Index): Attributes {
  const names = new Set(['pk', 'sk', partitionKey, sortKey]);
  return Object.fromEntries([...names].map((name) => [name, item[name]]));
}

/** Query of the table or of one of its indexes, as the store writes it: a partition, bounds on the sort key, a filter. */
import { conditionOf, order } from './expressions.ts';
import type { Predicate } from './expressions.ts';
import type { Attributes, MemoryTable } from './memory-table.ts';
import { INDEXES, TABLE } from '../../../functions/dynamodb/table.ts';

type Input = Readonly<Record<string, unknown>>;
interface Index {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** What its entries hold beside the keys. */
  readonly holds?: readonly string[];
}

const TABLE_KEYS: Index = { partitionKey: TABLE.partitionKey, sortKey: TABLE.sortKey };

export function queryPage(input: Input, table: MemoryTable, asOfMs?: number) {
  const name = input['IndexName'] as string | undefined;
  const index = name === undefined ? TABLE_KEYS : (INDEXES.find((each) => each.name === name) ?? TABLE_KEYS);
  const holds = conditionOf(String(input['KeyConditionExpression']));
  const bindings = {
    names: input['ExpressionAttributeNames'] as Record<string, string>,
    values: input['ExpressionAttributeValues'] as Record<string, unknown>,
  };
  const found = [...table.items(asOfMs)]
    .filter((item) => item[index.partitionKey] !== undefined && item[index.sortKey] !== undefined)
    .filter((item) => holds(item, bindings))
    .toSorted((a, b) => compare(a, b, index));
  const inOrder = input['ScanIndexForward'] === false ? found.toReversed() : found;
  const after = startAfter(inOrder, input, index);
  const limit = (input['Limit'] as number | undefined) ?? after.length;
  const page = after.slice(0, limit);
  const last = page.at(-1);
  const wanted = filterOf(input);
  const matching = page.filter((item) => wanted(item, bindings));
  const shown = name === undefined ? matching : matching.map((item) => entryOf(item, index));
  // Like the service, which does not look beyond the limit: a full page has a key to go on from.
  return page.length === limit && limit > 0 && input['Limit'] !== undefined && last !== undefined
    ? { Items: shown, LastEvaluatedKey: keysOf(last, index) }
    : { Items: shown };
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

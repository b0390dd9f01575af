import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { marshalledBytes } from './attribute-bytes.ts';
import { kindOf, type Tally } from './tally.ts';
import { readUnits } from './units.ts';
import { type ItemKey, keyText } from './writes.ts';

type Item = Readonly<Record<string, unknown>>;

interface KeysAsked {
  readonly Keys: readonly ItemKey[];
  readonly ConsistentRead?: boolean;
}

export interface ReadInput {
  readonly Key?: ItemKey;
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, KeysAsked>>;
}

export interface ReadOutput {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Responses?: unknown;
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[];
}

type KindOfKey = (pk: string, sk: string) => string;

/** Counts a read: single items and batches by the item, a query by all items that it read. */
export function countReads(tally: Tally, kind: KindOfKey, call: string, input: ReadInput, output: ReadOutput): void {
  const count = (key: ItemKey, bytes: number, strong: boolean): void => {
    const counted = kindOf(tally, kind(key.pk, key.sk));
    counted.reads += 1;
    counted.read_units += readUnits(bytes, strong);
  };
  const strong = input.ConsistentRead ?? false;
  if (call === 'GetItem' && input.Key) count(input.Key, marshalledBytes(output.Item), strong);
  if (call === 'Query') {
    const items = output.Items ?? [];
    const first = items[0] as unknown as ItemKey | undefined;
    const bytes = items.reduce((sum, item) => sum + marshalledBytes(item), 0);
    if (first) count(first, bytes, strong);
    else kindOf(tally, 'nothing').read_units += readUnits(0, strong);
  }
  if (call === 'BatchGetItem') countBatch(input, output, count);
}

function countBatch(
  { RequestItems = {} }: ReadInput,
  { Responses = {} }: ReadOutput,
  count: (key: ItemKey, bytes: number, strong: boolean) => void,
): void {
  const answered = Responses as Record<string, readonly Item[]>;
  for (const [table, { Keys, ConsistentRead = false }] of Object.entries(RequestItems)) {
    const found = new Map(
      (answered[table] ?? []).map((item) => [keyText(item as unknown as ItemKey), marshalledBytes(item)] as const),
    );
    for (const key of Keys) count(key, found.get(keyText(key)) ?? 0, ConsistentRead);
  }
}

/**
 * AWS's rules for on-demand request units, from item sizes (docs.aws.amazon.com/amazondynamodb, "Read and write
 * operations"). They count what is billed and know nothing of this service.
 */
import { itemBytes, type StoredItem } from './attribute-bytes.ts';

export const WRITE_UNIT_BYTES = 1024;
export const READ_UNIT_BYTES = 4096;

/** Key attributes of a secondary index, and what its entries hold beside them. */
export interface IndexKeys {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly holds: readonly string[];
}

/** A write costs its larger side, before or after, in whole kilobytes, and at least one unit. */
export function writeUnits(before: StoredItem | undefined, after: StoredItem | undefined): number {
  return atLeastOne(Math.max(itemBytes(before), itemBytes(after)) / WRITE_UNIT_BYTES);
}

/** A write whose condition fails costs the existing item, and at least one unit. */
export function failedWriteUnits(existing: StoredItem | undefined): number {
  return atLeastOne(itemBytes(existing) / WRITE_UNIT_BYTES);
}

/** Each index pays for an entry put, changed or taken out; an entry whose key changes is put and taken out. */
export function indexUnits(
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  indexes: readonly IndexKeys[],
): number {
  return indexes.reduce((sum, index) => {
    const [was, is] = [entryOf(before, index), entryOf(after, index)];
    if (was === is) return sum + (was === undefined || heldBy(before, index) === heldBy(after, index) ? 0 : 1);
    return sum + (was === undefined ? 0 : 1) + (is === undefined ? 0 : 1);
  }, 0);
}

/** One unit for every 4 KB read strongly, half of it read eventually; asking for what is not there costs the same as 4 KB. */
export function readUnits(bytes: number, strong: boolean): number {
  return atLeastOne(bytes / READ_UNIT_BYTES) * (strong ? 1 : 0.5);
}

function entryOf(item: StoredItem | undefined, { partitionKey, sortKey }: IndexKeys): string | undefined {
  const [partition, sort] = [item?.[partitionKey]?.S, item?.[sortKey]?.S];
  return partition === undefined || sort === undefined ? undefined : JSON.stringify([partition, sort]);
}

function heldBy(item: StoredItem | undefined, { holds }: IndexKeys): string {
  return JSON.stringify(holds.map((name) => item?.[name]));
}

const atLeastOne = (units: number): number => Math.max(1, Math.ceil(units));

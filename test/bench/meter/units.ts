/**
 * AWS's rules for on-demand request units, from item sizes (docs.aws.amazon.com/amazondynamodb, "Read and write
 * operations"). They count what is billed and know nothing of this service.
 */
import { itemBytes, type StoredItem } from './attribute-bytes.ts';

export const WRITE_UNIT_BYTES = 1024;
export const READ_UNIT_BYTES = 4096;

/** Key attributes of a secondary index, and the other attributes of its entries. */
export interface IndexKeys {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly holds: readonly string[];
}

/** A write costs its larger side, before or after, in whole kilobytes, and at least one unit. */
export function writeUnits(before: StoredItem | undefined, after: StoredItem | undefined): number {
  return unitsOfWrite(Math.max(itemBytes(before), itemBytes(after)));
}

/** A write whose condition fails costs the existing item, and at least one unit. */
export function failedWriteUnits(existing: StoredItem | undefined): number {
  return unitsOfWrite(itemBytes(existing));
}

export const unitsOfWrite = (bytes: number): number => atLeastOne(bytes / WRITE_UNIT_BYTES);

/** Each index pays for an entry put, changed or taken out; an entry whose key changes is put and taken out. */
export function indexUnits(
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  indexes: readonly IndexKeys[],
): number {
  const named = indexes.map((index, at) => ({ ...index, name: String(at) }));
  return indexWrites(before, after, named).reduce((sum, { units }) => sum + units, 0);
}

export interface IndexWrite {
  readonly index: string;
  readonly partition: string;
  readonly units: number;
}

type AnyItem = Readonly<Record<string, unknown>>;

/** Units of a write in the indexes; items as stored, or as the document client returns them. */
export function indexWrites(
  before: AnyItem | undefined,
  after: AnyItem | undefined,
  indexes: readonly (IndexKeys & { readonly name: string })[],
): IndexWrite[] {
  return indexes.flatMap((index) => {
    const [was, is] = [entryOf(before, index), entryOf(after, index)];
    const isSame = was?.partition === is?.partition && was?.sort === is?.sort;
    if (isSame && (was === undefined || heldBy(before, index) === heldBy(after, index))) return [];
    const changed = isSame ? [was] : [was, is];
    return changed.flatMap((entry) =>
      entry === undefined ? [] : [{ index: index.name, partition: entry.partition, units: 1 }],
    );
  });
}

/** One unit for every 4 KB read strongly, half of it read eventually; a read of an absent item costs the same as 4 KB. */
export function readUnits(bytes: number, strong: boolean): number {
  return atLeastOne(bytes / READ_UNIT_BYTES) * (strong ? 1 : 0.5);
}

function entryOf(item: AnyItem | undefined, { partitionKey, sortKey }: IndexKeys) {
  const [partition, sort] = [textOf(item?.[partitionKey]), textOf(item?.[sortKey])];
  return partition === undefined || sort === undefined ? undefined : { partition, sort };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : (value as { S?: string } | undefined)?.S;

function heldBy(item: AnyItem | undefined, { holds }: IndexKeys): string {
  return JSON.stringify(holds.map((name) => item?.[name]));
}

const atLeastOne = (units: number): number => Math.max(1, Math.ceil(units));

/**
 * One DynamoDB table in memory: atomic effects on single items, and the earlier versions of every item, so that an
 * eventually consistent read may see the past.
 */
import { itemBytes } from '../../../functions/dynamodb/items.ts';
import { INDEXES, TABLE } from '../../../functions/dynamodb/table.ts';

export type Attributes = Readonly<Record<string, unknown>>;
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

interface Version {
  readonly at: number;
  readonly item: Attributes | undefined;
}

export type WriteListener = (key: Key, before: Attributes | undefined, after: Attributes | undefined) => void;

/** As named by the SDK, so that the store's own translation is what runs. */
export class DatabaseError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode: status };
  }
}

/** The table itself is the index without a name. */
const ALL_INDEXES = [{ name: '', partitionKey: TABLE.partitionKey }, ...INDEXES];

const KEPT_VERSIONS = 12;
const MAX_ITEM_BYTES = 400 * 1024;

export class MemoryTable {
  readonly #versions = new Map<string, Version[]>();
  /** Every key that was ever in a partition of an index, and how many writes changed what is in it. */
  readonly #partitions = new Map<string, { readonly keys: Set<string>; writes: number }>();
  readonly #keptVersions: number;
  writes = 0;
  /** Sees a write before it is made, and may refuse it by throwing. */
  beforeWrite: WriteListener = () => {};
  onWrite: WriteListener = () => {};
  nowMs: () => number = () => 0;

  /** With one version kept, every read sees the present, and a million items fit in memory. */
  constructor(keptVersions = KEPT_VERSIONS) {
    this.#keptVersions = keptVersions;
  }

  read(key: Key, asOfMs = Number.POSITIVE_INFINITY): Attributes | undefined {
    return itemAt(this.#versions.get(textOf(key)), asOfMs);
  }

  write(key: Key, item: Attributes | undefined): void {
    const text = textOf(key);
    const versions = this.#versions.get(text);
    const before = versions?.at(-1)?.item;
    if (item !== undefined) refuseTooLarge(item);
    this.beforeWrite(key, before, item);
    this.writes += 1;
    const version = { at: this.nowMs(), item };
    if (versions === undefined || this.#keptVersions === 1) this.#versions.set(text, [version]);
    else if (versions.push(version) > this.#keptVersions) versions.shift();
    this.#index(text, before);
    this.#index(text, item);
    this.onWrite(key, before, item);
  }

  *items(asOfMs?: number): Generator<Attributes> {
    for (const versions of this.#versions.values()) {
      const item = itemAt(versions, asOfMs);
      if (item !== undefined) yield item;
    }
  }

  /** Items that are, or once were, in this partition of the index, or of the table (`''`). */
  *inIndex(index: string, partition: string, asOfMs?: number): Generator<Attributes> {
    for (const text of this.#partitions.get(`${index} ${partition}`)?.keys ?? []) {
      const item = itemAt(this.#versions.get(text), asOfMs);
      if (item !== undefined) yield item;
    }
  }

  writesIn(index: string, partition: string): number {
    return this.#partitions.get(`${index} ${partition}`)?.writes ?? 0;
  }

  #index(text: string, item: Attributes = {}): void {
    for (const { name, partitionKey } of ALL_INDEXES) {
      const partition = item[partitionKey];
      if (typeof partition !== 'string') continue;
      const id = `${name} ${partition}`;
      const known = this.#partitions.get(id) ?? { keys: new Set(), writes: 0 };
      known.keys.add(text);
      known.writes += 1;
      this.#partitions.set(id, known);
    }
  }
}

function itemAt(versions: readonly Version[] | undefined, asOfMs = Number.POSITIVE_INFINITY): Attributes | undefined {
  return versions?.findLast(({ at }) => at <= asOfMs)?.item;
}

function refuseTooLarge(item: Attributes): void {
  if (characters(item) * 3 <= MAX_ITEM_BYTES || itemBytes(item) <= MAX_ITEM_BYTES) return;
  throw new DatabaseError('ValidationException', 'Item size to update has exceeded the maximum allowed size');
}

function textOf({ pk, sk }: Key): string {
  return `${pk}\u0000${sk}`;
}

/** Cheap, and at least a third of the bytes. */
function characters(item: Attributes): number {
  let sum = 0;
  for (const name in item) {
    const value = item[name];
    sum += name.length + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 100);
  }
  return sum;
}

/**
 * One DynamoDB table in memory: single-item effects, each of them atomic, and what every item was at any moment before, so
 * that an eventually consistent read may see the past.
 */
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

const KEPT_VERSIONS = 12;
const MAX_ITEM_BYTES = 400 * 1024;

export class MemoryTable {
  readonly #versions = new Map<string, Version[]>();
  readonly #keys = new Map<string, Key>();
  onWrite: WriteListener = () => {};
  nowMs: () => number = () => 0;

  /** The item as it is, or as it was at an earlier moment. */
  read(key: Key, asOfMs = Number.POSITIVE_INFINITY): Attributes | undefined {
    const versions = this.#versions.get(textOf(key));
    if (versions === undefined) return undefined;
    return versions.findLast(({ at }) => at <= asOfMs)?.item;
  }

  write(key: Key, item: Attributes | undefined): void {
    const text = textOf(key);
    const versions = this.#versions.get(text) ?? [];
    const before = versions.at(-1)?.item;
    if (item !== undefined) refuseTooLarge(item);
    versions.push({ at: this.nowMs(), item });
    if (versions.length > KEPT_VERSIONS) versions.shift();
    this.#versions.set(text, versions);
    this.#keys.set(text, key);
    this.onWrite(key, before, item);
  }

  *items(asOfMs?: number): Generator<Attributes> {
    for (const key of this.#keys.values()) {
      const item = this.read(key, asOfMs);
      if (item !== undefined) yield item;
    }
  }
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

function itemBytes(item: Attributes): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

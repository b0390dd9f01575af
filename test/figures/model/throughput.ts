/** The throughput of a table: of each partition key, and of all keys together. */

export type Kind = 'writes' | 'reads';
export type Units = Readonly<Record<Kind, number>>;

/** Units a second (docs.aws.amazon.com/amazondynamodb, "Best practices for designing partition keys"). */
export const PARTITION: Units = { writes: 1_000, reads: 3_000 };
/** Units a second of a new on-demand table ("DynamoDB on-demand capacity mode"). */
export const NEW_TABLE: Units = { writes: 4_000, reads: 12_000 };

/**
 * Holds the units of one second. A request is admitted while any unit is left, and may take more than is left: later
 * requests wait for it. DynamoDB may lend up to 300 seconds of unused capacity, unpromised: the model lends nothing.
 */
export class Bucket {
  readonly #perSecond: number;
  #units: number;
  #atMs: number | undefined;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#units = perSecond;
  }

  hasUnits(nowMs: number): boolean {
    const earned = ((nowMs - (this.#atMs ?? nowMs)) * this.#perSecond) / 1_000;
    this.#units = Math.min(this.#perSecond, this.#units + earned);
    this.#atMs = nowMs;
    return this.#units > 0;
  }

  take(units: number): void {
    this.#units -= units;
  }
}

type Buckets = Readonly<Record<Kind, Bucket>>;
const bucketsOf = ({ writes, reads }: Units): Buckets => ({ writes: new Bucket(writes), reads: new Bucket(reads) });

export class Throughput {
  readonly #whole: Buckets;
  readonly #keys = new Map<string, Buckets>();

  constructor(limits: Units) {
    this.#whole = bucketsOf(limits);
  }

  admits(kind: Kind, key: string, nowMs: number): boolean {
    return this.#keyOf(key)[kind].hasUnits(nowMs) && this.#whole[kind].hasUnits(nowMs);
  }

  take(kind: Kind, key: string, units: number): void {
    for (const buckets of [this.#keyOf(key), this.#whole]) buckets[kind].take(units);
  }

  #keyOf(key: string): Buckets {
    const known = this.#keys.get(key) ?? bucketsOf(PARTITION);
    this.#keys.set(key, known);
    return known;
  }
}

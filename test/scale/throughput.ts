/** The throughput of a table, or of one of its indexes: of each partition key, and of all keys together. */
import { BUCKET_SECONDS, DOUBLES_AFTER_MINUTES, PARTITION } from './assumptions.ts';

export type Kind = 'writes' | 'reads';
export type Units = Readonly<Record<Kind, number>>;

/** A request is admitted while any unit is left, and may take more than is left: later requests wait for it. */
export class Bucket {
  perSecond: number;
  readonly #most: number;
  #units: number;
  #atMs: number;

  constructor(perSecond: number, nowMs: number, most = perSecond * BUCKET_SECONDS) {
    this.perSecond = perSecond;
    this.#most = most;
    this.#units = most;
    this.#atMs = nowMs;
  }

  hasUnits(nowMs: number): boolean {
    const most = Math.max(this.#most, this.perSecond * BUCKET_SECONDS);
    this.#units = Math.min(most, this.#units + ((nowMs - this.#atMs) * this.perSecond) / 1_000);
    this.#atMs = nowMs;
    return this.#units > 0;
  }

  take(units: number): void {
    this.#units -= units;
  }
}

interface Key {
  readonly buckets: Readonly<Record<Kind, Bucket>>;
  readonly used: Record<Kind, number>;
  /** The time since which the key is too hot. */
  hotSinceMs?: number;
  lastMs: number;
}

export interface Heat {
  readonly key: string;
  readonly kind: Kind;
  /** Of the limit of its partition, over the busiest ten seconds. */
  readonly share: number;
}

const WINDOW_MS = 10_000;
const MINUTE = 60_000;
const KINDS: readonly Kind[] = ['writes', 'reads'];

export interface ThroughputOptions {
  readonly name: string;
  readonly limits: Units;
  readonly nowMs: number;
  /** A key that stays too hot for this time gets another partition; by default never, because DynamoDB does not promise it. */
  readonly splitsAfterMs?: number;
}

export class Throughput {
  readonly used: Record<Kind, number> = { writes: 0, reads: 0 };
  hottest: Heat = { key: '', kind: 'reads', share: 0 };
  readonly #options: ThroughputOptions;
  readonly #whole: Readonly<Record<Kind, Bucket>>;
  readonly #keys = new Map<string, Key>();
  readonly #minutes: { readonly atMs: number; readonly used: Record<Kind, number> }[];
  #windowMs: number;

  constructor(options: ThroughputOptions) {
    this.#options = options;
    const { limits, nowMs } = options;
    this.#whole = { writes: new Bucket(limits.writes, nowMs), reads: new Bucket(limits.reads, nowMs) };
    this.#windowMs = nowMs;
    this.#minutes = [{ atMs: nowMs, used: { writes: 0, reads: 0 } }];
  }

  /** Whether a request of this key is admitted now. */
  admits(kind: Kind, key: string, nowMs: number): boolean {
    this.#advance(nowMs);
    const of = this.#keyOf(key, nowMs);
    if (!of.buckets[kind].hasUnits(nowMs)) {
      this.#split(of, kind, nowMs);
      return false;
    }
    return this.#whole[kind].hasUnits(nowMs);
  }

  take(kind: Kind, key: string, { units, nowMs }: { readonly units: number; readonly nowMs: number }): void {
    const of = this.#keyOf(key, nowMs);
    of.buckets[kind].take(units);
    of.used[kind] += units;
    of.lastMs = nowMs;
    this.#whole[kind].take(units);
    this.used[kind] += units;
    const minute = this.#minutes.at(-1);
    if (minute !== undefined) minute.used[kind] += units;
  }

  /** To be called at the end: the last window counts too, for as long as it was. */
  end(nowMs: number): void {
    this.#closeWindow(nowMs);
  }

  #keyOf(key: string, nowMs: number): Key {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const buckets = { writes: new Bucket(PARTITION.writes, nowMs), reads: new Bucket(PARTITION.reads, nowMs) };
    const made: Key = { buckets, used: { writes: 0, reads: 0 }, lastMs: nowMs };
    this.#keys.set(key, made);
    return made;
  }

  #split(of: Key, kind: Kind, nowMs: number): void {
    const { splitsAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    of.hotSinceMs ??= nowMs;
    if (nowMs - of.hotSinceMs < splitsAfterMs) return;
    of.buckets[kind].perSecond += PARTITION[kind];
    delete of.hotSinceMs;
  }

  #advance(nowMs: number): void {
    if (nowMs - this.#windowMs >= WINDOW_MS) this.#closeWindow(nowMs);
    const minute = this.#minutes.at(-1);
    if (minute === undefined || nowMs - minute.atMs < MINUTE) return;
    this.#minutes.push({ atMs: nowMs, used: { writes: 0, reads: 0 } });
    for (const old of this.#minutes) if (nowMs - old.atMs >= DOUBLES_AFTER_MINUTES * MINUTE) this.#double(old.used);
  }

  #double(peak: Units): void {
    for (const kind of KINDS)
      this.#whole[kind].perSecond = Math.max(this.#whole[kind].perSecond, (2 * peak[kind] * 1_000) / MINUTE);
  }

  /** Unused keys are full again, and removed. */
  #closeWindow(nowMs: number): void {
    const seconds = Math.max(1, (nowMs - this.#windowMs) / 1_000);
    for (const [key, of] of this.#keys) {
      for (const kind of KINDS) {
        const share = of.used[kind] / seconds / PARTITION[kind];
        if (share > this.hottest.share) this.hottest = { key: `${this.#options.name}${key}`, kind, share };
        of.used[kind] = 0;
      }
      if (nowMs - of.lastMs > WINDOW_MS) this.#keys.delete(key);
    }
    this.#windowMs = nowMs;
  }
}

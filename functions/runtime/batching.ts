/** Many calls at once: cut into batches, a limited number at a time, each batch repeated until nothing of it is left. */
import { TemporarilyUnavailable } from './faults.ts';
import type { Waiting } from './system.ts';

const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

/** Consecutive parts of `size` items; the last may be shorter. No part for no items. */
export function batchesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, batch) =>
    items.slice(batch * size, (batch + 1) * size),
  );
}

/** Consecutive parts whose sizes add up to `most` at most; a larger item is a part of its own. */
export function slicesOf<T>(items: readonly T[], most: number, sizeOf: (item: T) => number): T[][] {
  const slices: T[][] = [];
  let size = Infinity;
  for (const item of items) {
    size += sizeOf(item);
    if (size <= most) slices.at(-1)?.push(item);
    else {
      slices.push([item]);
      size = sizeOf(item);
    }
  }
  return slices;
}

/** At most `limit` calls at a time; results in order. After a failure no call starts. */
export async function inParallel<T, R>(items: readonly T[], limit: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [position, item] of waiting) {
      try {
        results[position] = await run(item);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

interface RetryOptions {
  /** The name of the dependency in the error, as in `The database`. */
  readonly dependency: string;
  readonly waiting: Waiting;
  /** How many calls in a row may achieve nothing. */
  readonly attempts?: number;
}

/** Sends again what calls leave undone, after random, doubling waits. Throws `TemporarilyUnavailable` at the end. */
export async function sendUntilDone<Entry>(
  batch: readonly Entry[],
  send: (entries: Entry[]) => Promise<Entry[]>,
  { dependency, waiting, attempts = MAX_ATTEMPTS }: RetryOptions,
): Promise<void> {
  let entries = [...batch];
  for (let fruitless = 0; ;) {
    const left = await send(entries);
    if (left.length === 0) return;
    fruitless = left.length < entries.length ? 1 : fruitless + 1;
    if (fruitless >= attempts) throw new TemporarilyUnavailable(`${dependency} keeps throttling.`);
    entries = left;
    await waiting.sleep(waiting.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** fruitless));
  }
}

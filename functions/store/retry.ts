import { TemporarilyUnavailable } from '../domain/temporarily-unavailable.ts';
import type { Database } from './database.ts';

const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;
/** What a caller still needs after the last pause to make its call and to answer. */
const RESERVE_MS = 1_500;

/**
 * Waits before the next attempt (1, 2, …) for what a batch left undone: a random part of a doubling delay, so that
 * callers throttled together do not come back together. Throws `TemporarilyUnavailable` once the attempts, or the time
 * left, are used up.
 */
export async function pauseBeforeRetry(
  database: Database,
  attempt: number,
  remainingMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const delayMs = database.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  if (attempt >= MAX_ATTEMPTS || remainingMs - delayMs < RESERVE_MS) {
    throw new TemporarilyUnavailable('the database keeps throttling');
  }
  await database.sleep(delayMs);
}

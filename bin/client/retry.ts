import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError, ServiceUnreachable } from './failures.ts';

export interface RetryPolicy {
  /** How long to go on trying before a failure is passed on, in milliseconds. */
  readonly patienceMs: number;
  /** Told before every wait: why, and for how long. */
  readonly onWait?: (reason: string, delayMs: number) => void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/**
 * Repeats a call that is safe to repeat while its failure may pass: no answer, 429, 500, 502, 503, 504. Waits as long as
 * `Retry-After` says, else twice as long each time, with jitter so that many clients do not come back at once.
 */
export async function withRetries<T>(call: () => Promise<T>, { patienceMs, onWait }: RetryPolicy): Promise<T> {
  const givesUpAt = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const delayMs = delayBefore(error, attempt);
      if (delayMs === undefined || Date.now() + delayMs > givesUpAt) throw error;
      onWait?.((error as Error).message, delayMs);
      await pause(delayMs);
    }
  }
}

function delayBefore(error: unknown, attempt: number): number | undefined {
  const backoff = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
  if (error instanceof ServiceUnreachable) return backoff;
  if (!(error instanceof ServiceError) || !RETRYABLE.has(error.status)) return undefined;
  return error.retryAfterSeconds === undefined ? backoff : error.retryAfterSeconds * 1000;
}

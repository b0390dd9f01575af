import { messageOf } from '../engine/errors.ts';
import { ServiceError, ServiceUnreachable } from '../wire/errors.ts';

export interface RetryPolicy {
  /** How long to retry before the error is thrown, in milliseconds. */
  readonly patienceMs: number;
  /** Waits as long as a 429 demands, however long that is: a quota of an hour may be used up. Default: no. */
  readonly waitsOutThrottles?: boolean;
  /** Called before every wait with its reason and length. */
  readonly onWait?: (reason: string, delayMs: number) => void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/** Retries on no response, 429, 500, 502, 503, 504, after `Retry-After` or `backOffMs`. The call must be repeatable. */
export async function withRetries<T>(
  call: () => Promise<T>,
  { patienceMs, waitsOutThrottles = false, onWait }: RetryPolicy,
): Promise<T> {
  let deadline = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const delayMs = delayAfter(error, attempt);
      if (delayMs !== undefined && waitsOutThrottles && isThrottled(error)) deadline += delayMs;
      if (delayMs === undefined || Date.now() + delayMs > deadline) throw error;
      onWait?.(messageOf(error), delayMs);
      await pause(delayMs);
    }
  }
}

const isThrottled = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 429 && error.retryAfterSeconds !== undefined;

function delayAfter(error: unknown, attempt: number): number | undefined {
  if (error instanceof ServiceUnreachable) return backOffMs(attempt);
  if (!(error instanceof ServiceError) || !RETRYABLE.has(error.status)) return undefined;
  return error.retryAfterSeconds === undefined ? backOffMs(attempt) : error.retryAfterSeconds * 1000;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Doubles with each attempt (0, 1, …) up to 10 s; the jitter keeps many clients from retrying at the same moment. */
function backOffMs(attempt: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

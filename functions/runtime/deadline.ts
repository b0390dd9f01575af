/** Work beyond the time of an invocation ends before Lambda ends it, so that the queue redelivers the rest at once. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TemporarilyUnavailable } from './faults.ts';

const remaining = new AsyncLocalStorage<() => number>();

/** A throttled call, with the retries of its client, ends within this time. */
const LONGEST_CALL_MS = 7_000;

/** Keeps all calls that `run` makes, directly or later, within the remaining time of the invocation. */
export function withinTime<Result>(remainingMs: () => number, run: () => Promise<Result>): Promise<Result> {
  return remaining.run(remainingMs, run);
}

/** Throws `TemporarilyUnavailable` where a call that starts now might not end within the time. */
export function refuseLateCall(): void {
  const remainingMs = remaining.getStore();
  if (remainingMs !== undefined && remainingMs() < LONGEST_CALL_MS) {
    throw new TemporarilyUnavailable('The time of this invocation is used up.');
  }
}

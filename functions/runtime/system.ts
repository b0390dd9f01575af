/** The real clock and the real dice; everything else takes them as arguments. */
import { randomBytes } from 'node:crypto';

/** What a workflow asks of the machine it runs on. */

export interface Clock {
  nowMs(): number;
}

export interface Random {
  /** `bytes` cryptographically random bytes as lower-case hex. */
  hex(bytes: number): string;
}

/** How long this invocation may still run. */
export interface Deadline {
  remainingMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export const secureRandom: Random = { hex: (bytes) => randomBytes(bytes).toString('hex') };

/** Waits before a call is made again. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** From 0 to below 1: spreads the repeats of many callers. */
export const jitter = (): number => Math.random();

export const secondsOf = (ms: number): number => Math.floor(ms / 1000);

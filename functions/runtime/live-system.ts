/** The real clock and the real dice; everything else takes them as arguments. */
import { randomBytes } from 'node:crypto';
import type { Clock, Random } from '../workflow/ports.ts';

export const systemClock: Clock = { nowMs: () => Date.now() };

export const secureRandom: Random = { hex: (bytes) => randomBytes(bytes).toString('hex') };

/** Waits before a call is made again. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** From 0 to below 1: spreads the repeats of many callers. */
export const jitter = (): number => Math.random();

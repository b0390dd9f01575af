/** The machine's clock, randomness, waiting and process. All other code takes them as arguments, so that a test can give its own. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

/** The time in milliseconds since 1970 (UTC). Every date that the service writes comes from one. */
export interface Clock {
  nowMs(): number;
}

/** Secure randomness, from which ids, keys and salts are made. */
export interface Random {
  /** `bytes` cryptographically random bytes as lower-case hex. */
  hex(bytes: number): string;
}

/** How retries pause. Its randomness spreads load and needs no security. */
export interface Waiting {
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Uniform in [0, 1): spreads callers that would otherwise retry together. */
  readonly random: () => number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export const secureRandom: Random = { hex: (bytes) => randomBytes(bytes).toString('hex') };

export const systemWaiting: Waiting = {
  sleep: (milliseconds) => setTimeout(milliseconds),
  random: () => Math.random(),
};

/** What a log line says of the process. Call it where the handler's module ends: what was loaded by then, Lambda has started. */
export function processUsage() {
  /** In the first line only: how long Lambda took to start the process and to load its code. */
  let start_ms: number | undefined = Math.round(performance.now());
  return () => {
    const usage = { memory_mb: Math.round(process.resourceUsage().maxRSS / 1024), start_ms };
    start_ms = undefined;
    return usage;
  };
}

/** Whole seconds, rounded down, as JWTs and expiry attributes have them. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

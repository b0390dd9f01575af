/** What outlives a request: the items of the store, the key and the clock, small enough to be copied at every step. */
import type { Session } from '../../../functions/auth/access-store.ts';
import type { PublishedKey } from '../../../functions/auth/tokens.ts';

export interface Stored {
  readonly sessions: Readonly<Record<string, Session>>;
  readonly keys: Readonly<Record<string, PublishedKey>>;
  /** Number of the key that signs now. */
  readonly signing: number;
  /** When the functions that run now published it, as they remember; `undefined`: not yet. */
  readonly publishedAtSeconds: number | undefined;
  readonly isActive: boolean;
  readonly nowMs: number;
  /** How many ids were handed out. */
  readonly ids: number;
  /** How many refresh tokens were replaced. */
  readonly rotations: number;
}

export const FRESH: Stored = {
  sessions: {},
  keys: {},
  signing: 0,
  publishedAtSeconds: undefined,
  isActive: true,
  nowMs: Date.UTC(2026, 0, 2),
  ids: 0,
  rotations: 0,
};

/** In functions started for it, the next key signs from now on. */
export const withNextKey = (stored: Stored): Stored => ({
  ...stored,
  signing: stored.signing + 1,
  publishedAtSeconds: undefined,
});

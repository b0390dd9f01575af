/** How things stand between two moves. */
import { Bench, type System } from './bench.ts';
import { afterLogin, type Model } from './model.ts';
import type { Stored } from './stored.ts';
import type { Held } from './token.ts';

export interface Position {
  readonly stored: Stored;
  readonly model: Model;
  /** The user's client: always presents what it got last. */
  readonly user: Held;
  /** When a reply to the user was first lost since; a client that waits longer than the window has lost its session. */
  readonly lostAtMs: number | undefined;
  /** Whether a token of the user's session was ever stolen. */
  readonly isRobbed: boolean;
  /** What the thief got last, and what he stole first. */
  readonly thief: Held | undefined;
  readonly loot: Held | undefined;
}

export async function opening(system: System): Promise<Position> {
  const bench = await Bench.on(system);
  const user = await bench.login();
  const model = afterLogin({ families: {}, struckOff: [] }, user);
  return { stored: bench.stored, model, user, lostAtMs: undefined, isRobbed: false, thief: undefined, loot: undefined };
}

/** What holds in every position and of every refresh, whoever made the moves (§5 points 3 to 6). */
import { Bench, type System } from './bench.ts';
import { familyOf, isStruckOff, WINDOW_MS } from './model.ts';
import type { Position } from './position.ts';
import type { Held } from './token.ts';

/** Of all tokens that are out, and of the keys that signed them. */
export async function violationIn(position: Position, system: System): Promise<string | undefined> {
  const { stored, user, thief, loot } = position;
  const bench = await Bench.on(system, stored);
  for (const held of new Set([user, thief, loot])) {
    const violation = held && (await violationOfHeld(bench, position, held));
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** Revocation and deactivation hold on the very next request; a token holds all its life, whichever key signs by then. */
async function violationOfHeld(bench: Bench, { stored, model }: Position, held: Held): Promise<string | undefined> {
  const isStruck = isStruckOff(model, held);
  const isStanding = stored.isActive && !familyOf(model, held).isEnded && !isStruck;
  const isDue = isStanding && held.access.exp * 1000 > stored.nowMs;
  if ((await bench.passes(held)) !== isDue) return isDue ? 'a sound access token is refused' : 'a dead session passes';
  if ((await bench.willLast(held)) === isStruck)
    return isStruck ? 'a token of a key that was struck off verifies' : 'a key leaves before a token that it signed';
  if (await bench.takesUnpublished(held)) return 'a key that is not in the set opens the gate';
  return undefined;
}

/** §5 point 5: nobody who was not robbed and who asks in time is logged out. */
export function falseLogOut(before: Position, answer: Held | undefined): string | undefined {
  const { stored, model, user, lostAtMs, isRobbed } = before;
  const isInTime = lostAtMs === undefined || stored.nowMs - lostAtMs <= WINDOW_MS;
  const isAlive = stored.isActive && !isStruckOff(model, user) && user.refresh.exp * 1000 > stored.nowMs;
  return !isRobbed && isInTime && isAlive && answer === undefined ? 'a false log-out' : undefined;
}

/** What a position is called: those that cannot be told apart by anything that follows have one name. */
import { secondsOf } from '../../../functions/auth/tokens.ts';
import { familyOf, WINDOW_MS } from './model.ts';
import type { Position } from './position.ts';
import type { Stored } from './stored.ts';
import type { Held, Token } from './token.ts';

export function nameOf(position: Position): string {
  const { stored, lostAtMs, isRobbed } = position;
  const whose = heldIn(position).map((held) => (held === undefined ? '-' : nameOfHeld(held, position)));
  return [stored.isActive, ageOf(lostAtMs, stored), isRobbed, sincePublication(stored), ...whose].join(' ');
}

function nameOfHeld(held: Held, position: Position): string {
  const { access, refresh } = held;
  const { stored, model } = position;
  const { current, spentAt, isEnded } = familyOf(model, held);
  const session = stored.sessions[refresh.session_id];
  const age = ageOf(spentAt[refresh.jti], stored);
  return [
    refresh.jti === current ? 'current' : age,
    hoursLeft(refresh.exp, stored),
    hoursLeft(access.exp, stored),
    isEnded,
    session?.revoked,
    session?.spent.length,
    // Of the token that a spent one would be answered with.
    Number(age) <= WINDOW_MS && hoursLeft(session?.current.exp, stored),
    hoursLeft(stored.keys[refresh.kid]?.valid_until_seconds, stored),
    refresh.kid === Object.keys(stored.keys).at(-1),
    // Who else holds the same token, a token of the same session, of the same key.
    firstWith(position, ({ jti }) => jti === refresh.jti),
    firstWith(position, ({ session_id }) => session_id === refresh.session_id),
    firstWith(position, ({ kid }) => kid === refresh.kid),
  ].join('/');
}

const heldIn = ({ user, thief, loot }: Position) => [user, thief, loot];

const firstWith = (position: Position, isSuch: (refresh: Token) => boolean): number =>
  heldIn(position).findIndex((held) => held !== undefined && isSuch(held.refresh));

/** Past the window all ages are alike. */
const ageOf = (sinceMs: number | undefined, { nowMs }: Stored): string | number =>
  sinceMs === undefined ? '-' : Math.min(nowMs - sinceMs, WINDOW_MS + 1);

/** To the hour: the waits of seconds never add up to one, and the others are whole hours. */
const hoursLeft = (untilSeconds = 0, { nowMs }: Stored): number =>
  Math.max(0, Math.ceil((untilSeconds * 1000 - nowMs) / 3_600_000));

/** To the hour too. Functions that published their key more than a day ago are all alike: they do it again before they sign. */
function sincePublication({ publishedAtSeconds, nowMs }: Stored): string | number {
  if (publishedAtSeconds === undefined) return 'new';
  return Math.min(Math.ceil((secondsOf(nowMs) - publishedAtSeconds) / 3600), 25);
}

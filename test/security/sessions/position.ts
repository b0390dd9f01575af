/** The state between two moves, its name, and what must hold in it, whoever made the moves (§5 points 3 to 6). */
import type { Session } from '../../../functions/auth/access-store.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import { Bench, type System } from './bench.ts';
import { afterLogin, isAlive, LIFETIME_MS, type Model, familyOf, MEMORY_MS, WINDOW_MS, isStruckOff } from './model.ts';
import { isActive, type Stored, type ClientTokens, type Token } from './services.ts';

export interface Position {
  readonly stored: Stored;
  readonly model: Model;
  /** The user's client: always presents what it got last. */
  readonly user: ClientTokens;
  /** When a reply to the user was first lost since; a client that waits longer than the window has lost its session. */
  readonly lostAtMs: number | undefined;
  /** Whether a token of the user's session was ever stolen. */
  readonly isRobbed: boolean;
  /** What the thief got last, and what he stole first. */
  readonly thief: ClientTokens | undefined;
  readonly loot: ClientTokens | undefined;
}

export async function opening(system: System): Promise<Position> {
  const bench = await Bench.on(system);
  const user = await bench.login();
  const model = afterLogin({ families: {}, struckOff: {}, endedAtMs: 0 }, user, bench.stored.nowMs);
  return { stored: bench.stored, model, user, lostAtMs: undefined, isRobbed: false, thief: undefined, loot: undefined };
}

/** Positions that nothing that follows can distinguish have one name. */
export function nameOf(position: Position): string {
  const { stored, model, lostAtMs, isRobbed } = position;
  const whose = tokensIn(position).map((tokens) => (tokens === undefined ? '-' : nameOfTokens(tokens, position)));
  // A login in the millisecond in which all sessions ended is dead at once.
  const isEndingNow = model.endedAtMs === stored.nowMs;
  return [isActive(stored), isEndingNow, ageOf(lostAtMs, stored), isRobbed, sincePublication(stored), ...whose].join(
    ' ',
  );
}

function nameOfTokens(tokens: ClientTokens, position: Position): string {
  const { access, refresh } = tokens;
  const { stored, model } = position;
  const { current, spentAt, ended, beganAtMs } = familyOf(model, tokens);
  const session = stored.sessions[refresh.session_id];
  const age = ageOf(spentAt[refresh.jti], stored);
  return [
    refresh.jti === current ? 'current' : age,
    hoursLeft(refresh.exp, stored),
    hoursLeft(access.exp, stored),
    ended,
    Math.min(hoursLeft(secondsOf(beganAtMs + LIFETIME_MS), stored), LAST_HOURS),
    session?.revoked,
    isRecalled(session, stored),
    session?.spent.length,
    // Of the token that a spent one would be answered with.
    Number(age) <= WINDOW_MS && hoursLeft(session?.current.exp, stored),
    hoursLeft(stored.keys[refresh.kid]?.valid_until_seconds, stored),
    refresh.kid === Object.keys(stored.keys).at(-1),
    memoryOf(access.kid, position),
    // Who else holds the same token, a token of the same session, of the same key.
    firstWith(position, ({ jti }) => jti === refresh.jti),
    firstWith(position, ({ session_id }) => session_id === refresh.session_id),
    firstWith(position, ({ kid }) => kid === refresh.kid),
  ].join('/');
}

/** How long ago a running function read the key, and how long ago that was struck off. Past five minutes all are alike. */
function memoryOf(kid: string, { stored: { nowMs, remembered }, model: { struckOff } }: Position): string {
  const read = remembered[kid];
  if (read === undefined) return '-';
  const ages = [read.readAtMs, struckOff[kid] ?? nowMs].map((sinceMs) => Math.min(nowMs - sinceMs, MEMORY_MS + 1));
  return [...ages, kid in struckOff].join(' ');
}

/** Whether all sessions of the user ended since it began, as it is stored. */
const isRecalled = (session: Session | undefined, { known }: Stored): boolean =>
  session !== undefined && session.began_at <= (known.user?.sessions_valid_from ?? '');

const tokensIn = ({ user, thief, loot }: Position) => [user, thief, loot];

const firstWith = (position: Position, isSuch: (refresh: Token) => boolean): number =>
  tokensIn(position).findIndex((tokens) => tokens !== undefined && isSuch(tokens.refresh));

/** A session with more time than this left of its 90 days is as good as new. */
const LAST_HOURS = 500;

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

/** Of all tokens that are out, and of the keys that signed them. */
export async function violationIn(position: Position, system: System): Promise<string | undefined> {
  const { stored, user, thief, loot } = position;
  const bench = await Bench.on(system, stored);
  for (const tokens of new Set([user, thief, loot])) {
    const violation = tokens && (await violationOfTokens(bench, position, tokens));
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** Whatever ends a session holds on the very next request; a token holds all its life, whichever key signs by then. */
async function violationOfTokens(
  bench: Bench,
  { stored, model }: Position,
  tokens: ClientTokens,
): Promise<string | undefined> {
  const isStruck = isStruckOff(model, tokens);
  const isLive = isActive(stored) && isAlive(familyOf(model, tokens), stored.nowMs) && !isStruck;
  const isDue = isLive && tokens.access.exp * 1000 > stored.nowMs;
  if ((await bench.passes(tokens)) !== isDue)
    return isDue ? 'a sound access token is refused' : 'a dead session passes';
  const ofRunning = await violationOfRunning(bench, { stored, model }, tokens, isDue);
  if (ofRunning !== undefined) return ofRunning;
  if ((await bench.willLast(tokens)) === isStruck)
    return isStruck ? 'a token of a key that was struck off verifies' : 'a key leaves before a token that it signed';
  if (await bench.takesUnpublished(tokens)) return 'a key that is not in the set opens the gate';
  return undefined;
}

/** A function that keeps running may still take a key for five minutes after it was struck off. */
async function violationOfRunning(
  bench: Bench,
  { stored, model }: Pick<Position, 'stored' | 'model'>,
  tokens: ClientTokens,
  isDue: boolean,
): Promise<string | undefined> {
  if (Object.keys(stored.remembered).length === 0) return undefined;
  const passes = await bench.passesRunning(tokens);
  if (passes === isDue) return undefined;
  if (isDue) return 'a running function refuses a sound access token';
  const struckAtMs = model.struckOff[tokens.access.kid] ?? 0;
  return stored.nowMs - struckAtMs >= MEMORY_MS ? 'a running function lets pass what it must not' : undefined;
}

/** §5 point 5: nobody who was not robbed and who asks in time is logged out, but by order or after 90 days. */
export function falseLogOut(before: Position, answer: ClientTokens | undefined): string | undefined {
  const { stored, model, user, lostAtMs, isRobbed } = before;
  const isInTime = lostAtMs === undefined || stored.nowMs - lostAtMs <= WINDOW_MS;
  const family = familyOf(model, user);
  const isDue = isAlive({ ...family, ended: family.ended === 'by order' ? 'by order' : 'no' }, stored.nowMs);
  const isUsable = isActive(stored) && !isStruckOff(model, user) && user.refresh.exp * 1000 > stored.nowMs;
  return !isRobbed && isInTime && isDue && isUsable && answer === undefined ? 'a false log-out' : undefined;
}

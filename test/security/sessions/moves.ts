/** A user, a thief, an administrator, an operator and the clock, one move at a time, on the real session code (§5). */
import { Bench, type System } from './bench.ts';
import { falseLogOut, violationIn, type Position } from './position.ts';
import {
  after,
  afterEndOfAll,
  afterLogin,
  afterLogout,
  familyOf,
  isAlive,
  LIFETIME_MS,
  MEMORY_MS,
  verdictOf,
  violationOf,
} from './model.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import { isActive, withNextKey, type ClientTokens } from './services.ts';

export type Outcome = Position | { readonly violation: string };

/** `undefined`: the move is not possible here. */
export type Move = (position: Position, system: System) => Promise<Outcome | undefined>;

/** What is broken by the move or by what it led to. */
export async function violationAfter(outcome: Outcome, system: System): Promise<string | undefined> {
  return 'violation' in outcome ? outcome.violation : violationIn(outcome, system);
}

type Presented = { readonly position: Position; readonly answer: ClientTokens | undefined };

/** A refresh, compared with the model. */
async function present(
  position: Position,
  token: ClientTokens,
  system: System,
): Promise<Presented | { violation: string }> {
  const { stored, model } = position;
  const isPublished = (stored.keys[token.refresh.kid]?.valid_until_seconds ?? 0) > secondsOf(stored.nowMs);
  const verdict = verdictOf(model, token, stored.nowMs, isActive(stored) && isPublished);
  const bench = await Bench.on(system, stored);
  const answer = await bench.refresh(token);
  const violation = violationOf(model, verdict, token, answer);
  if (violation !== undefined) return { violation };
  const next = { ...position, stored: bench.stored, model: after(model, verdict, token, answer, stored.nowMs) };
  return { position: next, answer };
}

const userLogsIn: Move = async (before, system) => {
  if (!isActive(before.stored)) return undefined;
  const bench = await Bench.on(system, before.stored);
  const user = await bench.login();
  const model = afterLogin(before.model, user, before.stored.nowMs);
  return { ...before, stored: bench.stored, model, user, lostAtMs: undefined, isRobbed: false };
};

function userRefreshes(isDelivered: boolean): Move {
  return async (before, system) => {
    const presented = await present(before, before.user, system);
    if ('violation' in presented) return presented;
    const { position, answer } = presented;
    const violation = falseLogOut(before, answer);
    if (violation !== undefined) return { violation };
    if (answer === undefined) return position;
    return isDelivered
      ? { ...position, user: answer, lostAtMs: undefined }
      : { ...position, lostAtMs: before.lostAtMs ?? before.stored.nowMs };
  };
}

const twoTabs: Move = async (before, system) => {
  const first = await userRefreshes(false)(before, system);
  if (first === undefined || 'violation' in first) return first;
  return userRefreshes(true)(first, system);
};

const thiefPresents =
  (choose: (position: Position) => ClientTokens | undefined): Move =>
  async (before, system) => {
    const token = choose(before);
    if (token === undefined) return undefined;
    const presented = await present(before, token, system);
    if ('violation' in presented) return presented;
    const { position, answer } = presented;
    return answer === undefined ? position : { ...position, thief: answer };
  };

const steal: Move = async (before) => ({
  ...before,
  isRobbed: true,
  thief: before.user,
  loot: before.loot ?? before.user,
});

const waits =
  (ms: number): Move =>
  async (before) => ({ ...before, stored: { ...before.stored, nowMs: before.stored.nowMs + ms } });

const logsOut =
  (choose: (position: Position) => ClientTokens | undefined): Move =>
  async (before, system) => {
    const token = choose(before);
    const { stored, model } = before;
    if (token === undefined || !isActive(stored) || !isAlive(familyOf(model, token), stored.nowMs)) return undefined;
    const bench = await Bench.on(system, stored);
    if (!(await bench.logout(token))) return undefined;
    return { ...before, stored: bench.stored, model: afterLogout(model, token) };
  };

const activated: Move = async (before, system) => {
  if (isActive(before.stored)) return undefined;
  const bench = await Bench.on(system, before.stored);
  await bench.hear({ license: 'active' });
  return { ...before, stored: bench.stored };
};

/** Whatever ends all sessions of the user. */
const ends =
  (how: (bench: Bench) => Promise<void>): Move =>
  async (before, system) => {
    if (!isActive(before.stored)) return undefined;
    const bench = await Bench.on(system, before.stored);
    await how(bench);
    return { ...before, stored: bench.stored, model: afterEndOfAll(before.model, before.stored.nowMs) };
  };

/** As if the user's session had been refreshed for so long: ten hours are left of its 90 days. */
const sessionAges: Move = async (before) => {
  const { stored, model, user } = before;
  const id = user.refresh.session_id;
  const [session, family] = [stored.sessions[id], familyOf(model, user)];
  const beganAtMs = stored.nowMs - LIFETIME_MS + 10 * HOUR_MS;
  if (session === undefined || family.ended !== 'no' || family.beganAtMs <= beganAtMs) return undefined;
  if (stored.known.user?.sessions_valid_from !== undefined) return undefined;
  const aged = { ...session, began_at: new Date(beganAtMs).toISOString() };
  return {
    ...before,
    stored: { ...stored, sessions: { ...stored.sessions, [id]: aged } },
    model: { ...model, families: { ...model.families, [id]: { ...family, beganAtMs } } },
  };
};

const nextKeySigns: Move = async (before) => ({ ...before, stored: withNextKey(before.stored) });

/** A key was disclosed: those before the one that signs now are deleted, and the tokens they signed end at once. */
const strikeOff: Move = async (before, system) => {
  const { stored, model } = before;
  const { kid } = await system.keys.signer(stored.signing).publicKey();
  const { [kid]: current, ...retired } = stored.keys;
  const struckOff = Object.keys(retired);
  if (struckOff.length === 0) return undefined;
  const keys = current === undefined ? {} : { [kid]: current };
  return {
    ...before,
    stored: { ...stored, keys },
    model: {
      ...model,
      struckOff: { ...Object.fromEntries(struckOff.map((each) => [each, stored.nowMs])), ...model.struckOff },
    },
  };
};

/** What it reads for that, it remembers; whether it lets the caller pass is looked at after every move. */
const runningFunctionIsAsked =
  (choose: (position: Position) => ClientTokens | undefined): Move =>
  async (before, system) => {
    const token = choose(before);
    if (token === undefined) return undefined;
    const bench = await Bench.on(system, before.stored);
    await bench.passesRunning(token);
    return { ...before, stored: bench.stored };
  };

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Around one login and one key, for as long as a refresh token lives. */
export const SESSION_MOVES: Readonly<Record<string, Move>> = {
  'the user refreshes': userRefreshes(true),
  'the user refreshes, the reply is lost': userRefreshes(false),
  'two tabs refresh': twoTabs,
  'the thief steals': steal,
  'the thief refreshes': thiefPresents(({ thief }) => thief),
  'the thief replays his first loot': thiefPresents(({ loot }) => loot),
  'a millisecond passes': waits(1),
  'ten seconds pass': waits(10 * SECOND_MS),
  'thirty seconds pass': waits(30 * SECOND_MS),
  'ten hours pass': waits(10 * HOUR_MS),
  'the user is deactivated': ends((bench) => bench.hear({ license: 'inactive' })),
  'the user is activated': activated,
  'the user logs out': logsOut(({ user }) => user),
  'the session is 90 days old but ten hours': sessionAges,
};

/** Through further logins and keys: access tokens and retired keys expire as well. */
export const MOVES: Readonly<Record<string, Move>> = {
  ...SESSION_MOVES,
  'the user logs in': userLogsIn,
  'the thief logs out': logsOut(({ thief }) => thief),
  'the password changes': ends((bench) => bench.hear({ password: `${bench.stored.known.version}` })),
  'an operator ends the sessions': ends((bench) => bench.endSessions()),
  'the next key signs': nextKeySigns,
  'the keys before are struck off': strikeOff,
  'a day passes': waits(DAY_MS),
  'twenty days pass': waits(20 * DAY_MS),
};

/** Around what a running function remembers of keys (§2): a key that was struck off is refused within five minutes. */
export const KEY_MOVES: Readonly<Record<string, Move>> = {
  'the user asks a running function': runningFunctionIsAsked(({ user }) => user),
  'the thief asks a running function': runningFunctionIsAsked(({ thief }) => thief),
  'the thief steals': steal,
  'the user logs in': userLogsIn,
  'the user logs out': logsOut(({ user }) => user),
  'the next key signs': nextKeySigns,
  'the keys before are struck off': strikeOff,
  'a millisecond passes': waits(1),
  'four minutes pass': waits(240 * SECOND_MS),
  'five minutes pass': waits(MEMORY_MS),
};

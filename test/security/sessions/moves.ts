/** A user, a thief, an administrator, an operator and the clock, in long random lives, compared with the model after every move. */
import * as fc from 'fast-check';
import type { ClientTokens } from './clients.ts';
import { Life, type System } from './life.ts';
import {
  after,
  afterEndOfAll,
  afterLogout,
  familyOf,
  isAlive,
  isStruckOff,
  LIFETIME_MS,
  MOST_SESSIONS,
  MEMORY_MS,
  verdictOf,
  violationOf as violationOfAnswer,
  WINDOW_MS,
} from './model.ts';

/** Returns the violation, if any. Does nothing if the move is not possible. */
type Move = (life: Life) => Promise<string | undefined>;
export type Moves = Readonly<Record<string, Move>>;
type Choice = (life: Life) => ClientTokens | undefined;

const user: Choice = (life) => life.user;
const thief: Choice = (life) => life.thief;

/** A refresh, compared with the model. */
async function present(life: Life, token: ClientTokens) {
  const { model, nowMs } = life;
  const isKnown = life.isActive && (await life.isPublished(token.refresh.kid));
  const verdict = verdictOf(model, token, nowMs, isKnown);
  const response = await life.refresh(token);
  const violation = violationOfAnswer(model, verdict, token, response);
  if (violation === undefined) life.model = after(model, verdict, token, response, nowMs);
  return { response, violation };
}

/** §5 point 5: a client whose token was not stolen and that refreshes in time is logged out only by a request or after 90 days. */
function isEntitled({ model, nowMs, lostAtMs, isRobbed, isActive }: Life, held: ClientTokens): boolean {
  const isInTime = lostAtMs === undefined || nowMs - lostAtMs <= WINDOW_MS;
  const family = familyOf(model, held);
  const isDue = isAlive({ ...family, ended: family.ended === 'by order' ? 'by order' : 'no' }, nowMs);
  const isUsable = isActive && !isStruckOff(model, held) && held.refresh.exp * 1000 > nowMs;
  return !isRobbed && isInTime && isDue && isUsable;
}

const userRefreshes =
  (isDelivered: boolean): Move =>
  async (life) => {
    if (life.user === undefined) return undefined;
    const entitled = isEntitled(life, life.user);
    const { response, violation } = await present(life, life.user);
    if (violation !== undefined) return violation;
    if (response === undefined) return entitled ? 'a false log-out' : undefined;
    if (isDelivered) life.user = response;
    life.lostAtMs = isDelivered ? undefined : (life.lostAtMs ?? life.nowMs);
    return undefined;
  };

const twoTabs: Move = async (life) => (await userRefreshes(false)(life)) ?? userRefreshes(true)(life);

const userLogsIn: Move = async (life) => {
  if (!life.isActive) return undefined;
  Object.assign(life, { user: await life.login(), lostAtMs: undefined, isRobbed: false });
  return undefined;
};

/** One more than may be open beside a session of before, which ends. */
const logsInElsewhere: Move = async (life) => {
  for (let machine = 0; machine < MOST_SESSIONS && life.isActive; machine += 1) {
    life.wait(1);
    await life.login();
  }
  return undefined;
};

const thiefPresents =
  (choose: Choice): Move =>
  async (life) => {
    const token = choose(life);
    if (token === undefined) return undefined;
    const { response, violation } = await present(life, token);
    if (response !== undefined) life.thief = response;
    return violation;
  };

const steal: Move = async (life) => {
  Object.assign(life, { isRobbed: true, thief: life.user, loot: life.loot ?? life.user });
  return undefined;
};

const waits =
  (ms: number): Move =>
  async (life) => {
    life.wait(ms);
    return undefined;
  };

const logsOut =
  (choose: Choice): Move =>
  async (life) => {
    const token = choose(life);
    if (token === undefined || !life.isActive || !isAlive(familyOf(life.model, token), life.nowMs)) return undefined;
    if (await life.logout(token)) life.model = afterLogout(life.model, token);
    return undefined;
  };

const activated: Move = async (life) => {
  if (!life.isActive) await life.hear({ license: 'active' });
  return undefined;
};

/** A move that ends all sessions of the user. */
const ends =
  (how: (life: Life) => Promise<void>): Move =>
  async (life) => {
    if (!life.isActive) return undefined;
    await how(life);
    life.model = afterEndOfAll(life.model, life.nowMs);
    return undefined;
  };

/** Ages the user's session as long refreshes would: ten hours are left of its 90 days. */
const sessionAges: Move = async (life) => {
  const { model, nowMs, user: held } = life;
  if (held === undefined || model.endedAtMs > 0) return undefined;
  const session = await life.sessionOf(held);
  if (session === undefined) return undefined;
  const family = familyOf(model, held);
  const beganAtMs = nowMs - LIFETIME_MS + 10 * HOUR_MS;
  if (family.ended !== 'no' || family.beganAtMs <= beganAtMs) return undefined;
  await life.world.stores.sessions.create({ ...session, began_at: new Date(beganAtMs).toISOString() });
  life.model = { ...model, families: { ...model.families, [session.session_id]: { ...family, beganAtMs } } };
  return undefined;
};

const nextKeySigns: Move = async (life) => {
  life.signWithNextKey();
  return undefined;
};

/** A key was disclosed: the keys before the current one are deleted, and their tokens end at once. */
const strikeOff: Move = async (life) => {
  const now = Object.fromEntries((await life.strikeOffKeys()).map((kid) => [kid, life.nowMs]));
  life.model = { ...life.model, struckOff: { ...now, ...life.model.struckOff } };
  return undefined;
};

/** A running function may accept a key for five minutes after its deletion. */
const asksRunningFunction =
  (choose: Choice): Move =>
  async (life) => {
    const token = choose(life);
    if (token === undefined) return undefined;
    const [passes, isDue] = [await life.passes(token, life.running), isDueNow(life, token)];
    if (passes === isDue) return undefined;
    if (isDue) return 'a running function refuses a sound access token';
    const struckAtMs = life.model.struckOff[token.access.kid] ?? 0;
    return life.nowMs - struckAtMs >= MEMORY_MS ? 'a running function lets pass what it must not' : undefined;
  };

const isDueNow = ({ model, isActive, nowMs }: Life, tokens: ClientTokens): boolean =>
  isActive &&
  isAlive(familyOf(model, tokens), nowMs) &&
  !isStruckOff(model, tokens) &&
  tokens.access.exp * 1000 > nowMs;

/** The end of a session is effective at the next request; a token is valid for its whole life, even under a newer key. */
async function violationOfTokens(life: Life, tokens: ClientTokens): Promise<string | undefined> {
  const [isStruck, isDue] = [isStruckOff(life.model, tokens), isDueNow(life, tokens)];
  if ((await life.passes(tokens)) !== isDue) return isDue ? 'a sound access token is refused' : 'a dead session passes';
  if ((await life.willLast(tokens)) === isStruck)
    return isStruck ? 'a token of a key that was struck off verifies' : 'a key leaves before a token that it signed';
  return (await life.takesUnpublished(tokens)) ? 'a key that is not in the set opens the gate' : undefined;
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Around one login and one key, for as long as a refresh token lives. */
export const SESSION_MOVES: Moves = {
  'the user refreshes': userRefreshes(true),
  'the user refreshes, the reply is lost': userRefreshes(false),
  'two tabs refresh': twoTabs,
  'the user logs in on twenty machines': logsInElsewhere,
  'the thief steals': steal,
  'the thief refreshes': thiefPresents(thief),
  'the thief replays his first loot': thiefPresents(({ loot }) => loot),
  'a millisecond passes': waits(1),
  'ten seconds pass': waits(10 * SECOND_MS),
  'thirty seconds pass': waits(30 * SECOND_MS),
  'ten hours pass': waits(10 * HOUR_MS),
  'the user is deactivated': ends((life) => life.hear({ license: 'inactive' })),
  'the user is activated': activated,
  'the user logs out': logsOut(user),
  'the session is 90 days old but ten hours': sessionAges,
};

/** Around the keys that a running function remembers (§5.1): a deleted key is refused within five minutes. */
export const KEY_MOVES: Moves = {
  'the user asks a running function': asksRunningFunction(user),
  'the thief asks a running function': asksRunningFunction(thief),
  'the thief steals': steal,
  'the user logs in': userLogsIn,
  'the user logs out': logsOut(user),
  'the next key signs': nextKeySigns,
  'the keys before are struck off': strikeOff,
  'a millisecond passes': waits(1),
  'four minutes pass': waits(240 * SECOND_MS),
  'five minutes pass': waits(MEMORY_MS),
};

/** Through further logins and keys: access tokens and retired keys expire as well. */
export const MOVES: Moves = {
  ...SESSION_MOVES,
  ...KEY_MOVES,
  'the thief logs out': logsOut(thief),
  'the password changes': ends((life) => life.hear({ password: `password ${life.nowMs}` })),
  'an operator ends the sessions': ends((life) => life.endSessions()),
  'a day passes': waits(DAY_MS),
  'twenty days pass': waits(20 * DAY_MS),
};

/** The model is a part of the life. */
const commandOf = (name: string, move: Move): fc.AsyncCommand<Life, Life> => ({
  check: () => true,
  async run(life) {
    const violation = await move(life);
    if (violation !== undefined) throw new Error(violation);
    for (const tokens of new Set([life.user, life.thief, life.loot])) {
      const broken = tokens && (await violationOfTokens(life, tokens));
      if (broken !== undefined) throw new Error(broken);
    }
  },
  toString: () => name,
});

const LONGEST_LIFE = 40;

/** Random lives. Returns a violation, with the shortest moves that lead there unless `shrink` is false. */
export async function liveAtRandom(
  system: System,
  moves: Moves,
  { lives, seed, shrink = true }: { readonly lives: number; readonly seed: number; readonly shrink?: boolean },
): Promise<string | undefined> {
  const steps = fc.commands(
    Object.entries(moves).map(([name, move]) => fc.constant(commandOf(name, move))),
    { maxCommands: LONGEST_LIFE, size: 'max' },
  );
  const holds = fc.asyncProperty(steps, async (life) => {
    const begun = await Life.begin(system);
    begun.user = await begun.login();
    await fc.asyncModelRun(() => ({ model: begun, real: begun }), life);
  });
  return violationOf(await fc.check(holds, { numRuns: lives, seed, endOnFailure: !shrink }));
}

/** The violation, and the moves that lead to it. */
export const violationOf = (
  details: Pick<fc.RunDetails<unknown>, 'failed' | 'errorInstance' | 'numRuns' | 'counterexample'>,
): string | undefined =>
  details.failed ? `${details.errorInstance}, after ${details.numRuns} runs: ${details.counterexample}` : undefined;

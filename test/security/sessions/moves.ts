/** A user, a thief and an administrator, one move at a time, on the real session code. */
import { Bench, type Held, type Stored } from './bench.ts';
import { after, type Model, verdictOf, violationOf, WINDOW_MS } from './model.ts';
import type { Variant } from './variants.ts';

export interface Position {
  readonly stored: Stored;
  readonly model: Model;
  /** The user's client: always presents what it got last. */
  readonly user: Held;
  /** When a reply to the user was first lost since; a client that waits longer than the window has lost its session. */
  readonly lostAtMs: number | undefined;
  /** What the thief got last, and what he stole first. */
  readonly thief: Held | undefined;
  readonly loot: Held | undefined;
}

export type Outcome = Position | { readonly violation: string };

/** `undefined`: the move is not possible here. */
export type Move = (position: Position, variant: Variant) => Promise<Outcome | undefined>;

export async function opening(variant: Variant): Promise<Position> {
  const bench = new Bench(variant);
  const user = await bench.login();
  const model = { current: user.refresh.jti, spentAt: {}, isEnded: false };
  return { stored: bench.stored, model, user, lostAtMs: undefined, thief: undefined, loot: undefined };
}

type Presented = { readonly position: Position; readonly answer: Held | undefined };

/** A refresh, judged by the model and by the two promises made to the user. */
async function present(position: Position, token: Held, variant: Variant): Promise<Presented | { violation: string }> {
  const { stored, model } = position;
  const verdict = verdictOf(model, token, stored.nowMs, stored.isActive);
  const bench = new Bench(variant, stored);
  const answer = await bench.refresh(token);
  const violation = violationOf(model, verdict, token, answer);
  if (violation !== undefined) return { violation };
  const next = { ...position, stored: bench.stored, model: after(model, verdict, token, answer, stored.nowMs) };
  return { position: next, answer };
}

const wasWellBehaved = ({ lostAtMs, stored }: Position) =>
  lostAtMs === undefined || stored.nowMs - lostAtMs <= WINDOW_MS;

/** §5 point 5: nobody who was not robbed and who asks in time is logged out. */
function falseLogOut(before: Position, answer: Held | undefined): string | undefined {
  const { stored, thief, user } = before;
  const mustPass =
    stored.isActive && thief === undefined && wasWellBehaved(before) && user.refresh.exp * 1000 > stored.nowMs;
  return mustPass && answer === undefined ? 'a false log-out' : undefined;
}

function userRefreshes(isDelivered: boolean): Move {
  return async (before, variant) => {
    const presented = await present(before, before.user, variant);
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

const twoTabs: Move = async (before, variant) => {
  const first = await userRefreshes(false)(before, variant);
  if (first === undefined || 'violation' in first) return first;
  return userRefreshes(true)(first, variant);
};

const thiefPresents =
  (choose: (position: Position) => Held | undefined): Move =>
  async (before, variant) => {
    const token = choose(before);
    if (token === undefined) return undefined;
    const presented = await present(before, token, variant);
    if ('violation' in presented) return presented;
    const { position, answer } = presented;
    return answer === undefined ? position : { ...position, thief: answer };
  };

const steal: Move = async (before) => ({ ...before, thief: before.user, loot: before.loot ?? before.user });

const waits =
  (ms: number): Move =>
  async (before) => ({ ...before, stored: { ...before.stored, nowMs: before.stored.nowMs + ms } });

const licence =
  (isActive: boolean): Move =>
  async (before) =>
    before.stored.isActive === isActive ? undefined : { ...before, stored: { ...before.stored, isActive } };

export const MOVES: Readonly<Record<string, Move>> = {
  'the user refreshes': userRefreshes(true),
  'the user refreshes, the reply is lost': userRefreshes(false),
  'two tabs refresh': twoTabs,
  'the thief steals': steal,
  'the thief refreshes': thiefPresents(({ thief }) => thief),
  'the thief replays his first loot': thiefPresents(({ loot }) => loot),
  'ten seconds pass': waits(10_000),
  'thirty seconds pass': waits(30_000),
  'a millisecond passes': waits(1),
  'ten hours pass': waits(36_000_000),
  'the user is deactivated': licence(false),
  'the user is activated': licence(true),
};

/** Revocation and deactivation hold on the very next request, for every access token that is out. */
export async function gateViolation({ stored, model, user, thief, loot }: Position, variant: Variant) {
  const bench = new Bench(variant, stored);
  for (const held of [user, thief, loot]) {
    if (held === undefined) continue;
    const isDue = stored.isActive && !model.isEnded && held.access.exp * 1000 > stored.nowMs;
    if ((await bench.passes(held)) !== isDue)
      return isDue ? 'a sound access token is refused' : 'a dead session passes';
  }
  return undefined;
}

/** Positions that cannot be told apart by anything that follows have one name. */
export function nameOf({ stored, model, user, lostAtMs, thief, loot }: Position): string {
  const age = (ms: number | undefined) => (ms === undefined ? '-' : Math.min(stored.nowMs - ms, WINDOW_MS + 1));
  const token = (held: Held | undefined) => {
    if (held === undefined) return '-';
    const { jti, exp } = held.refresh;
    const left = Math.max(0, exp * 1000 - stored.nowMs);
    return `${jti === model.current ? 'current' : age(model.spentAt[jti])}/${left}/${Math.max(0, held.access.exp * 1000 - stored.nowMs)}`;
  };
  const same = [user, thief, loot].map((held) =>
    [user, thief, loot].findIndex((other) => other?.refresh.jti === held?.refresh.jti),
  );
  const flags = [stored.isActive, model.isEnded, stored.session?.revoked, age(lostAtMs), stored.session?.spent.length];
  return [...flags, token(user), token(thief), token(loot), ...same].join(' ');
}

/**
 * The required result of every refresh (§5 points 4 and 6; RFC 9700, section 4.14), independent of the implementation: a list of
 * presented tokens with their times, and of the deleted keys.
 */
import type { ClientTokens } from './clients.ts';

export const WINDOW_MS = 30_000;
export const LIFETIME_MS = 90 * 86_400_000;
export const MOST_SESSIONS = 20;
/** A running function may accept a deleted key for this time. */
export const MEMORY_MS = 300_000;

export interface Model {
  /** The state of each session. */
  readonly families: Readonly<Record<string, Family>>;
  /** Times at which keys were deleted, by `kid`: their tokens must not pass any more. The key of a token has no other effect. */
  readonly struckOff: Readonly<Record<string, number>>;
  /** The time at which all sessions of the user last ended; a session opened in that millisecond is never valid. */
  readonly endedAtMs: number;
}

/** A session: the refresh tokens of one login. */
export interface Family {
  readonly current: string;
  /** The time at which each token was first spent. */
  readonly spentAt: Readonly<Record<string, number>>;
  readonly beganAtMs: number;
  /** Ended by a spent token presented after the window, or by a request: no token of it may ever pass again. */
  readonly ended: 'no' | 'by replay' | 'by order';
}

export type Verdict = 'rotates' | 'returns the current one' | 'refused' | 'refused, and ends the session';

export const isStruckOff = (model: Model, { access }: ClientTokens): boolean => access.kid in model.struckOff;

export function familyOf({ families }: Model, { refresh }: ClientTokens): Family {
  const family = families[refresh.session_id];
  if (family === undefined) throw new Error('a token of an unknown session');
  return family;
}

const withFamily = (model: Model, { refresh }: ClientTokens, family: Family): Model => ({
  ...model,
  families: { ...model.families, [refresh.session_id]: family },
});

/** Of the open sessions, the oldest end beyond 20. */
export function afterLogin(model: Model, held: ClientTokens, beganAtMs: number): Model {
  const next = withFamily(model, held, {
    current: held.refresh.jti,
    spentAt: {},
    beganAtMs,
    ended: beganAtMs > model.endedAtMs ? 'no' : 'by order',
  });
  const open = Object.entries(next.families).filter(([, { ended }]) => ended === 'no');
  const surplus = open.toSorted(([, a], [, b]) => b.beganAtMs - a.beganAtMs).slice(MOST_SESSIONS);
  const ended = surplus.map(([id, family]) => [id, { ...family, ended: 'by order' as const }]);
  return { ...next, families: { ...next.families, ...Object.fromEntries(ended) } };
}

export const afterLogout = (model: Model, held: ClientTokens): Model =>
  withFamily(model, held, { ...familyOf(model, held), ended: 'by order' });

/** Ends all sessions, as a new password, an inactive license or an operator does. */
export const afterEndOfAll = (model: Model, endedAtMs: number): Model => ({
  ...model,
  endedAtMs,
  families: Object.fromEntries(
    Object.entries(model.families).map(([id, family]) => [id, { ...family, ended: 'by order' as const }]),
  ),
});

/** Neither ended, nor older than 90 days. */
export const isAlive = ({ ended, beganAtMs }: Family, nowMs: number): boolean =>
  ended === 'no' && nowMs - beganAtMs < LIFETIME_MS;

/** `isKnown`: the user is active, and the key that signed the token is in the set. */
export function verdictOf(model: Model, held: ClientTokens, nowMs: number, isKnown: boolean): Verdict {
  const { refresh } = held;
  const family = familyOf(model, held);
  if (!isKnown || !isAlive(family, nowMs) || isStruckOff(model, held)) return 'refused';
  const hasExpired = refresh.exp * 1000 <= nowMs;
  if (refresh.jti === family.current) return hasExpired ? 'refused' : 'rotates';
  const spentAtMs = family.spentAt[refresh.jti];
  const isRecent = spentAtMs !== undefined && nowMs - spentAtMs <= WINDOW_MS;
  if (!isRecent) return 'refused, and ends the session';
  return hasExpired ? 'refused' : 'returns the current one';
}

export function after(
  model: Model,
  verdict: Verdict,
  presented: ClientTokens,
  response: ClientTokens | undefined,
  nowMs: number,
): Model {
  const family = familyOf(model, presented);
  if (verdict === 'refused, and ends the session')
    return withFamily(model, presented, { ...family, ended: 'by replay' });
  if (verdict !== 'rotates' || response === undefined) return model;
  const spentAt = { ...family.spentAt, [presented.refresh.jti]: nowMs };
  return withFamily(model, presented, { ...family, current: response.refresh.jti, spentAt });
}

/** The violation of a response, if any. */
export function violationOf(
  model: Model,
  verdict: Verdict,
  presented: ClientTokens,
  response: ClientTokens | undefined,
): string | undefined {
  const isRefused = verdict.startsWith('refused');
  if (isRefused !== (response === undefined)) return `should be: ${verdict}; was ${isRefused ? 'answered' : 'refused'}`;
  if (response === undefined) return undefined;
  const { current, spentAt } = familyOf(model, presented);
  const { jti } = response.refresh;
  if (verdict === 'rotates' && (jti === current || jti in spentAt)) return 'the new token is not new';
  if (verdict !== 'rotates' && jti !== current) return 'the response is not the current token';
  if (response.access.jti === presented.access.jti) return 'the access token is not new';
  return undefined;
}

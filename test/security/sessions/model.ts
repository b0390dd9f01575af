/**
 * What must become of every refresh (§5 points 4 and 6; RFC 9700, section 4.14), described without looking at how it is done: a list
 * of who presented which token when, and of the keys that were struck off.
 */
import type { ClientTokens } from './services.ts';

export const WINDOW_MS = 30_000;

export interface Model {
  /** What has become of each session. */
  readonly families: Readonly<Record<string, Family>>;
  /** Keys whose tokens must not pass any more, by their `kid`. Which key signed a token matters in no other way. */
  readonly struckOff: readonly string[];
}

/** A session: the refresh tokens that came of one login. */
export interface Family {
  readonly current: string;
  /** When each token was first spent. */
  readonly spentAt: Readonly<Record<string, number>>;
  /** A spent token came back after the window: nothing of this session may ever pass again. */
  readonly isEnded: boolean;
}

export type Verdict = 'rotates' | 'answers with the current one' | 'refused' | 'refused, and ends the session';

export const isStruckOff = (model: Model, { access }: ClientTokens): boolean => model.struckOff.includes(access.kid);

export function familyOf({ families }: Model, { refresh }: ClientTokens): Family {
  const family = families[refresh.session_id];
  if (family === undefined) throw new Error('a token of a session that nobody opened');
  return family;
}

const withFamily = (model: Model, { refresh }: ClientTokens, family: Family): Model => ({
  ...model,
  families: { ...model.families, [refresh.session_id]: family },
});

export const afterLogin = (model: Model, held: ClientTokens): Model =>
  withFamily(model, held, { current: held.refresh.jti, spentAt: {}, isEnded: false });

export function verdictOf(model: Model, held: ClientTokens, nowMs: number, isActive: boolean): Verdict {
  const { refresh } = held;
  const { current, spentAt, isEnded } = familyOf(model, held);
  if (!isActive || isEnded || isStruckOff(model, held) || refresh.exp * 1000 <= nowMs) return 'refused';
  if (refresh.jti === current) return 'rotates';
  const spentAtMs = spentAt[refresh.jti];
  const isRecent = spentAtMs !== undefined && nowMs - spentAtMs <= WINDOW_MS;
  return isRecent ? 'answers with the current one' : 'refused, and ends the session';
}

export function after(
  model: Model,
  verdict: Verdict,
  presented: ClientTokens,
  answer: ClientTokens | undefined,
  nowMs: number,
): Model {
  const family = familyOf(model, presented);
  if (verdict === 'refused, and ends the session') return withFamily(model, presented, { ...family, isEnded: true });
  if (verdict !== 'rotates' || answer === undefined) return model;
  const spentAt = { ...family.spentAt, [presented.refresh.jti]: nowMs };
  return withFamily(model, presented, { ...family, current: answer.refresh.jti, spentAt });
}

/** What the answer breaks, if anything. */
export function violationOf(
  model: Model,
  verdict: Verdict,
  presented: ClientTokens,
  answer: ClientTokens | undefined,
): string | undefined {
  const isRefused = verdict.startsWith('refused');
  if (isRefused !== (answer === undefined)) return `should be: ${verdict}; was ${isRefused ? 'answered' : 'refused'}`;
  if (answer === undefined) return undefined;
  const { current, spentAt } = familyOf(model, presented);
  const { jti } = answer.refresh;
  if (verdict === 'rotates' && (jti === current || jti in spentAt)) return 'the new token is not new';
  if (verdict !== 'rotates' && jti !== current) return 'the answer is not the current token';
  if (answer.access.jti === presented.access.jti) return 'the access token is not new';
  return undefined;
}

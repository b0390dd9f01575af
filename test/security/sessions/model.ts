/**
 * What must become of every refresh (§5 point 4; RFC 9700, section 4.14), told without looking at how it is done: a list of who
 * presented which token when.
 */
import type { Held } from './bench.ts';

export const WINDOW_MS = 30_000;

export interface Model {
  readonly current: string;
  /** When each token was first spent. */
  readonly spentAt: Readonly<Record<string, number>>;
  /** A spent token came back after the window: nothing of this session may ever pass again. */
  readonly isEnded: boolean;
}

export type Verdict = 'rotates' | 'answers with the current one' | 'refused' | 'refused, and ends the session';

export function verdictOf(model: Model, { refresh }: Held, nowMs: number, isActive: boolean): Verdict {
  if (!isActive || model.isEnded || refresh.exp * 1000 <= nowMs) return 'refused';
  if (refresh.jti === model.current) return 'rotates';
  const spentAt = model.spentAt[refresh.jti];
  const isRecent = spentAt !== undefined && nowMs - spentAt <= WINDOW_MS;
  return isRecent ? 'answers with the current one' : 'refused, and ends the session';
}

export function after(model: Model, verdict: Verdict, presented: Held, answer: Held | undefined, nowMs: number): Model {
  if (verdict === 'refused, and ends the session') return { ...model, isEnded: true };
  if (verdict !== 'rotates' || answer === undefined) return model;
  return {
    ...model,
    current: answer.refresh.jti,
    spentAt: { ...model.spentAt, [presented.refresh.jti]: nowMs },
  };
}

/** What the answer breaks, if anything. */
export function violationOf(
  model: Model,
  verdict: Verdict,
  presented: Held,
  answer: Held | undefined,
): string | undefined {
  const isRefused = verdict.startsWith('refused');
  if (isRefused !== (answer === undefined)) return `should be: ${verdict}; was ${isRefused ? 'answered' : 'refused'}`;
  if (answer === undefined) return undefined;
  const { jti } = answer.refresh;
  if (verdict === 'rotates' && (jti === model.current || jti in model.spentAt)) return 'the new token is not new';
  if (verdict !== 'rotates' && jti !== model.current) return 'the answer is not the current token';
  if (answer.access.jti === presented.access.jti) return 'the access token is not new';
  return undefined;
}

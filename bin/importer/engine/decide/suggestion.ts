/** What is suggested for a kind. */
import type { Kind } from '../language/findings.ts';

export type Suggestion = Pick<Kind, 'outcome' | 'date' | 'percent' | 'reason'>;

export const suggestion = (
  outcome: Suggestion['outcome'],
  reason: string,
  date?: string | null,
  percent?: string | null,
): Suggestion => ({ outcome, date: date ?? null, percent: percent ?? null, reason });
export const nothing = (reason: string): Suggestion => suggestion(null, reason);
export const leaveOut = (reason: string): Suggestion => suggestion('leave_out', reason);

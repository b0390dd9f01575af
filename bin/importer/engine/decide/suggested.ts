/** What may be suggested for a kind. */
import type { Outcome } from '../language/findings.ts';
import type { KindFacts } from './kind-facts.ts';

/** `null`: nothing is suggested, and a person decides. */
export interface Suggested {
  readonly outcome: Outcome['outcome'] | null;
  readonly date: string | null;
  readonly percent: string | null;
}

const on =
  (outcome: 'completed' | 'certified' | 'failed') =>
  (date: string | undefined, percent: string | null = null): Suggested => ({ outcome, date: date ?? null, percent });
export const [completed, certified, failed] = [on('completed'), on('certified'), on('failed')];
/** A person decides. */
export const nothing = (): Suggested => ({ outcome: null, date: null, percent: null });
/** The rows say that there is nothing to import. */
export const leftOut = (): Suggested => ({ outcome: 'leave_out', date: null, percent: null });
/** Begun and not done, on the day of the last activity. */
export const inProgress = ({ percent, percentColumn, otherDate }: KindFacts): Suggested => ({
  outcome: 'in_progress',
  date: otherDate ?? null,
  percent: percent === 'between' || percent === '0' ? (percentColumn ?? null) : null,
});

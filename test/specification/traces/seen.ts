/** What the histories record. */
import type { Effect } from '../../simulation/services.ts';

type Value = string | number | boolean | object;

/** An action, the place of its invocation, and what the code saw. `gone`: places whose invocations have ended. */
export interface Event {
  readonly a: string;
  readonly gone: readonly string[];
  readonly [seen: string]: Value;
}

/** What an invocation, by its number, did. `a` is empty if it did nothing. */
export interface Seen {
  a: string;
  readonly by: number;
  readonly [seen: string]: Value;
}

export interface Action {
  readonly a: string;
  readonly [seen: string]: Value;
}

export type Add = (effect: Pick<Effect, 'by'>, seen: Action) => Seen;

/** What the histories write down. */
import type { Effect } from '../../simulation/services.ts';

type Value = string | number | boolean | object;

/** An action, the place of its invocation, and what the code saw. `gone`: places whose invocations do nothing any more. */
export interface Event {
  readonly a: string;
  readonly gone: readonly number[];
  readonly [seen: string]: Value;
}

/** What an invocation, by its number, did. `a` is empty where it was nothing. */
export interface Seen {
  a: string;
  readonly by: number;
  readonly [seen: string]: Value;
}

export interface Action {
  readonly a: string;
  readonly [seen: string]: Value;
}

/** Writes down an action. */
export type Add = (effect: Pick<Effect, 'by'>, seen: Action) => Seen;

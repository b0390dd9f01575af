/** Pairs of adjacent actions, by name: those that are possible, and those that occurred. */
import { everyAction } from '../actions.ts';
import type { Step } from './behaviours.ts';

/** With those of a restore: the point that the table is restored to, and the restore. */
export const ACTIONS: readonly string[] = [...everyAction(), 'Save', 'Restore'].toSorted();

const namesOf = (behaviour: readonly Step[]): string[] => behaviour.map(({ did: [name] }) => name);

export class Pairs {
  /** How often each action occurred. */
  readonly actions = new Map<string, number>();
  /** The names that are possible after each. No pair begins with the first state. */
  readonly possible: ReadonlyMap<string, Set<string>> = new Map([
    ['Init', new Set(ACTIONS)],
    ...ACTIONS.map((name) => [name, new Set<string>()] as const),
  ]);
  readonly #seen = new Set<string>();
  readonly #ends = new Map<string, Step[]>();

  /** A behaviour that the code was led through. */
  saw(behaviour: readonly Step[]): void {
    const names = namesOf(behaviour);
    for (const [at, name] of names.entries()) {
      this.actions.set(name, (this.actions.get(name) ?? 0) + 1);
      if (at > 0) this.#seen.add(this.#know(names[at - 1], name));
    }
  }

  /** One of two actions or more that is possible, and ends with a pair that may be new. */
  found(behaviour: Step[]): void {
    const pair = this.#know(...namesOf(behaviour.slice(-2)));
    if (!this.#ends.has(pair)) this.#ends.set(pair, behaviour);
  }

  #know(name = '', next = ''): string {
    this.possible.get(name)?.add(next);
    return `${name} ${next}`;
  }

  get all(): number {
    return ACTIONS.reduce((sum, name) => sum + (this.possible.get(name)?.size ?? 0), 0);
  }

  get seen(): number {
    return this.#seen.size;
  }

  /** For each possible pair that did not occur, a behaviour that ends with it. */
  get missing(): Step[][] {
    return [...this.#ends].flatMap(([pair, behaviour]) => (this.#seen.has(pair) ? [] : [behaviour]));
  }
}

/** Payloads that a cancelling call, or the watchdog that abandons, copies into plans: from where it reads one until it ends. */
import type { Effect } from '../../simulation/services.ts';
import type { Add, Seen } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';

/** What several calls copy at once is one copy, which ends with the last of them. */
interface Copy {
  readonly c: string;
  readonly named: boolean;
  readonly by: Set<number>;
  /** Where the last call that anybody of them made was. */
  end: Seen;
}

const IS_COPYING = new Set(['cancel', 'watchdog']);

export class Copies {
  readonly #open = new Map<string, Copy>();
  readonly #state: SpokenState;
  readonly #add: Add;

  constructor(state: SpokenState, add: Add) {
    this.#state = state;
    this.#add = add;
  }

  /** Sees a call to any item. */
  see(effect: Effect): void {
    const { key, kind, writes } = effect;
    if (!IS_COPYING.has(kind)) return;
    if (key.sk.startsWith('payload#')) this.#seeRead(effect);
    else if (key.sk.startsWith('plan#') && writes) this.#seePut(effect);
    for (const copy of this.#open.values()) if (copy.by.has(effect.by)) copy.end = this.#add(effect, { a: '' });
  }

  /** Nothing follows: each copy that was not put has ended with its last call. */
  end(): void {
    for (const { c, named, end } of this.#open.values()) Object.assign(end, { a: 'EndCopied', c, named, ok: false });
    this.#open.clear();
  }

  #seeRead(effect: Effect): void {
    const { c, named } = this.#state.payloadIn(effect.after);
    // Of a chunk that has a plan nothing is copied.
    if (c === '' || this.#state.hasPlan(c)) return;
    const copy = this.#open.get(`${c} ${named}`);
    if (copy !== undefined) return void copy.by.add(effect.by);
    const end = this.#add(effect, { a: 'CopyPayload', c, named });
    this.#open.set(`${c} ${named}`, { c, named, by: new Set([effect.by]), end });
  }

  #seePut(effect: Effect): void {
    const { key, before, after } = effect;
    if (before === after) return;
    const c = this.#state.chunkOf(key);
    const named = this.#state.isNamedIn(after, 'plan');
    this.#open.delete(`${c} ${named}`);
    this.#add(effect, { a: 'EndCopied', c, named, ok: true });
  }
}

/** Payloads that a cancelling call, or the abandoning watchdog, copies into plans: from its read until its end. */
import type { Effect } from '../../simulation/services.ts';
import type { Add, Seen } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';

/** Simultaneous copies by several calls are one copy, which ends with the last of them. */
interface Copy {
  readonly c: string;
  readonly named: boolean;
  readonly by: Set<number>;
  /** The last call of any of them. */
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

  see(effect: Effect): void {
    const { key, kind, writes } = effect;
    if (!IS_COPYING.has(kind)) return;
    if (key.sk.startsWith('payload#')) this.#seeRead(effect);
    else if (key.sk.startsWith('plan#') && writes) this.#seePut(effect);
    for (const copy of this.#open.values()) if (copy.by.has(effect.by)) copy.end = this.#add(effect, { a: '' });
  }

  /** Ends each copy that was not put with its last call. */
  end(): void {
    for (const { c, named, end } of this.#open.values()) Object.assign(end, { a: 'EndCopied', c, named, ok: false });
    this.#open.clear();
  }

  #seeRead(effect: Effect): void {
    const { c, named } = this.#state.payloadIn(effect.after);
    // A chunk with a plan is not copied.
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

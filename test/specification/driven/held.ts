/** An invocation that makes its next call only when it is told to. */
import type { Context } from 'aws-lambda';
import type { Call } from '../../simulation/invocation.ts';
import type { Caller, Effect } from '../../simulation/services.ts';
import { settled } from '../../simulation/simulation.ts';
import type { Rule } from './rules.ts';

interface Pending {
  readonly call: Call;
  readonly response: (answered: Promise<unknown>) => void;
}

export class Held implements Caller {
  readonly id = 0;
  readonly kind: string;
  /** Its own clock stands still: how long something takes is no part of the specification. */
  readonly ms: number;
  /** Added to by who watches the table. */
  readonly effects: Effect[] = [];
  hasEnded = false;
  #pending: Pending[] = [];

  constructor(kind: string, ms: number) {
    this.kind = kind;
    this.ms = ms;
  }

  readonly nowMs = (): number => this.ms;
  readonly sleep = async (): Promise<void> => {};
  readonly context = { getRemainingTimeInMillis: () => 20_000 } as Context;

  readonly io = (call: Call): Promise<unknown> =>
    new Promise((resolve) => void this.#pending.push({ call, response: resolve }));

  /** The calls that it is about to make: several where it does several things at once. */
  get pending(): readonly Call[] {
    return this.#pending.map(({ call }) => call);
  }

  async start(code: () => Promise<unknown>): Promise<void> {
    const end = () => void (this.hasEnded = true);
    void code().then(end, end);
    await settled();
  }

  /** Makes one of these calls, and lets the code continue until it waits again. */
  async make(call: Call): Promise<void> {
    const chosen = this.#pending.find((each) => each.call === call);
    this.#pending = this.#pending.filter((each) => each !== chosen);
    const results = call.parts.map((part) => part());
    chosen?.response(new Promise((resolve) => resolve(call.response(results))));
    await settled();
  }

  /** Makes calls until the action is over, or the invocation. */
  async go({ prefers, orElse, before, until, after }: Rule): Promise<void> {
    const isOver = () => this.hasEnded || (before !== undefined && this.pending.some(before));
    while (!isOver()) {
      const wanted = [prefers, orElse].flatMap((isIt) => (isIt && this.pending.find(isIt)) ?? []);
      const [call = this.pending[0]] = wanted;
      if (call === undefined) throw new Error('The invocation waits for no call.');
      this.effects.length = 0;
      await this.make(call);
      if (after?.(call) === true || (until !== undefined && this.effects.some(until))) return;
    }
  }
}

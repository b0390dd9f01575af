const SAY_AGAIN_MS = 30_000;

/** Says once that the service keeps us waiting, however many requests find it out, and once that it goes on. */
export class Waiting {
  readonly #say: (text: string) => void;
  readonly #now: () => number;
  #lastSaid: { reason: string; atMs: number } | undefined;

  constructor(say: (text: string) => void, now: () => number) {
    this.#say = say;
    this.#now = now;
  }

  /** The `onWait` of a retry policy. */
  wait(reason: string, delayMs: number): void {
    const last = this.#lastSaid;
    if (last !== undefined && this.#now() - last.atMs < SAY_AGAIN_MS) return;
    const seconds = Math.max(1, Math.round(delayMs / 1000));
    this.#say(last === undefined ? `${reason}; waiting, next try in ${seconds} s` : `still waiting: ${reason}`);
    this.#lastSaid = { reason, atMs: this.#now() };
  }

  over(): void {
    if (this.#lastSaid === undefined) return;
    this.#lastSaid = undefined;
    this.#say('the service answers again; going on');
  }
}

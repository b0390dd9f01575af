interface Waiting {
  readonly endsAtMs: number;
  /** Calls that had to end, one after another, before and including this one. */
  readonly depth: number;
  readonly started: number;
  readonly release: () => void;
}

/** Turns of the event loop after which every call that a released call causes has started. */
const QUIET_TURNS = 4;

/**
 * A clock that only calls move. A call takes its latency of a table, whatever its real duration, and calls end in the
 * order of that clock. So durations, and the number of calls that wait for each other, repeat exactly on any machine.
 */
export class VirtualTime {
  nowMs = 0;
  /** The longest chain of calls that ended so far. */
  depth = 0;
  #underWay = 0;
  #started = 0;
  #releasing = false;
  readonly #waiting: Waiting[] = [];

  /** Starts now and ends `latencyMs` later on this clock. */
  async call<T>(latencyMs: number, run: () => Promise<T>): Promise<T> {
    const endsAtMs = this.nowMs + latencyMs;
    const depth = this.depth + 1;
    const started = (this.#started += 1);
    this.#underWay += 1;
    const ended = await run().then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    await new Promise<void>((release) => {
      this.#waiting.push({ endsAtMs, depth, started, release });
      void this.#releaseInTurn();
    });
    return ended();
  }

  /** Ends the earliest call once all calls under way are known, and then waits for the calls that this causes. */
  async #releaseInTurn(): Promise<void> {
    if (this.#releasing) return;
    this.#releasing = true;
    await quiet();
    while (this.#waiting.length > 0 && this.#waiting.length === this.#underWay) {
      this.#waiting.sort((a, b) => a.endsAtMs - b.endsAtMs || a.started - b.started);
      const { endsAtMs, depth, release } = this.#waiting.shift() as Waiting;
      this.nowMs = endsAtMs;
      this.depth = Math.max(this.depth, depth);
      this.#underWay -= 1;
      release();
      await quiet();
    }
    this.#releasing = false;
  }
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

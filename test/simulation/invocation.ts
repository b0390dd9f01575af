/** One invocation of a function and its calls. It can die, stall or be cut off at the result of any call. */
import { DatabaseError } from '../kit/memory-table/memory-table.ts';
import type { PartResult } from '../kit/memory-table/commands.ts';
import { Dice } from '../kit/dice.ts';
import type { Fault, FaultKind } from './faults.ts';
import type { Simulation } from './simulation.ts';

/** A call to the outside, in parts that may each happen or not. */
export interface Call {
  readonly name: string;
  readonly writes: boolean;
  readonly eventual: boolean;
  readonly partial: boolean;
  readonly toQueue?: boolean;
  readonly parts: readonly ((asOfMs?: number) => PartResult | undefined)[];
  readonly response: (results: readonly (PartResult | undefined)[]) => unknown;
}

interface Flight {
  /** Later than it was made if the invocation is frozen. */
  readonly sentMs: number;
  cancelled: boolean;
}

type Outcome = { readonly value: unknown } | { readonly error: Error };
type Answering = (outcome: Outcome) => void;

const READ_LAG_MS = 1_000;
/** In bounded runs: the largest delay of an effect, and the largest clock skew: together less than the margin. */
const LATE_MS = 3_000;
const SKEW_MS = 900;
/** In bounded runs: stalls that an invocation survives, in place of longer ones. */
const SHORT_STALLS_MS: Readonly<Record<number, number>> = { 30_000: 8_000, 180_000: 17_000 };

export class Invocation {
  readonly id: number;
  readonly kind: string;
  alive = true;
  readonly #simulation: Simulation;
  readonly bornMs: number;
  readonly #timeoutMs: number;
  readonly #flights = new Set<Flight>();
  readonly #onDeath: () => void;
  /** Whether faults hit it. The surroundings' own invocations have none. */
  readonly #mortal: boolean;
  #frozenUntilMs = 0;
  #frozenMs = 0;
  #clockOffsetMs = 0;

  constructor(
    simulation: Simulation,
    options: { kind: string; timeoutMs: number; mortal?: boolean; onDeath?: () => void },
  ) {
    this.#simulation = simulation;
    this.id = simulation.nextInvocation();
    this.kind = options.kind;
    this.bornMs = simulation.nowMs;
    this.#timeoutMs = options.timeoutMs;
    this.#mortal = options.mortal ?? true;
    this.#onDeath = options.onDeath ?? (() => {});
    if (this.#mortal) simulation.after(this.#timeoutMs, () => this.#timeOut());
  }

  /** Runs code in the invocation from the next event on. `failed` receives an error that it throws. */
  start<T>(code: () => Promise<T>, done: (value: T) => void, failed: (error: unknown) => void): void {
    this.#simulation.after(1, () => {
      this.#simulation.touch();
      void this.#run(code, done, failed);
    });
  }

  nowMs(): number {
    return this.#simulation.nowMs + this.#clockOffsetMs;
  }

  remainingMs(): number {
    const frozenMs = this.#simulation.bounded ? 0 : this.#frozenMs;
    return this.bornMs + this.#timeoutMs + frozenMs - this.#simulation.nowMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#later(ms, resolve));
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.#simulation.note(`${this.kind} ${this.id} dies`);
    // A call in flight may still reach its target.
    const { bounded, dice, nowMs } = this.#simulation;
    const latestMs = bounded ? nowMs + LATE_MS : Infinity;
    for (const flight of this.#flights) if (dice.chance(0.5) || flight.sentMs > latestMs) flight.cancelled = true;
    this.#onDeath();
  }

  io(call: Call): Promise<unknown> {
    if (!this.alive) return new Promise(() => {});
    const { writes, eventual, partial, parts, toQueue = false } = call;
    const step = { who: this.kind, writes, eventual, partial, parts: parts.length, delivery: false, toQueue };
    const fault = this.#mortal ? this.#simulation.step(step, `${this.kind} ${this.id} ${call.name}`) : undefined;
    return new Promise((resolve, reject) => {
      const response = (outcome: Outcome) => {
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      };
      if (fault === undefined) this.#perform(call, response);
      else this.#fail(call, fault, response);
    });
  }

  async #run<T>(code: () => Promise<T>, done: (value: T) => void, failed: (error: unknown) => void): Promise<void> {
    try {
      const value = await code();
      this.#end(() => done(value));
    } catch (error) {
      this.#end(() => failed(error));
    }
  }

  #end(report: () => void): void {
    if (!this.alive) return;
    this.alive = false;
    report();
  }

  #timeOut(): void {
    if (!this.alive) return;
    const left = this.remainingMs();
    if (left > 0) this.#simulation.after(left, () => this.#timeOut());
    else this.kill();
  }

  /** Continues after a delay, once thawed, if it is still alive. */
  #later(ms: number, run: () => void): void {
    this.#simulation.after(ms, () => {
      if (!this.alive) return;
      const frozenMs = this.#frozenUntilMs - this.#simulation.nowMs;
      if (frozenMs > 0) return this.#later(frozenMs, run);
      this.#simulation.touch();
      run();
    });
  }

  #perform(call: Call, response: Answering, subset?: readonly boolean[], lagMs?: number): void {
    this.#effects(
      call,
      (results) => this.#later(this.#simulation.latency(), () => response(outcomeOf(call, results))),
      {
        delayMs: Math.max(0, this.#frozenUntilMs - this.#simulation.nowMs),
        ...(subset && { subset }),
        ...(lagMs !== undefined && { lagMs }),
      },
    );
  }

  /** Schedules the effects of a call after a random delay, at once or in two parts. */
  #effects(
    { parts, eventual }: Call,
    then: (results: (PartResult | undefined)[]) => void,
    { subset, lagMs, delayMs = 0 }: { subset?: readonly boolean[]; lagMs?: number; delayMs?: number } = {},
  ): void {
    const { dice } = this.#simulation;
    const flight: Flight = { sentMs: this.#simulation.nowMs + delayMs, cancelled: false };
    this.#flights.add(flight);
    const results: (PartResult | undefined)[] = parts.map(() => undefined);
    const split = parts.length > 1 && dice.chance(0.3) ? dice.below(parts.length) : parts.length;
    const run = (from: number, to: number) => {
      for (let at = from; at < to; at += 1) {
        if (flight.cancelled || subset?.[at] === false) continue;
        const lag = lagMs ?? dice.below(READ_LAG_MS);
        results[at] = parts[at]?.(eventual ? this.#simulation.nowMs - lag : undefined);
      }
    };
    const end = () => {
      this.#flights.delete(flight);
      then(results);
    };
    this.#simulation.after(delayMs + this.#simulation.latency(), () => {
      run(0, split);
      if (split === parts.length) return end();
      this.#simulation.after(this.#simulation.latency(), () => {
        run(split, parts.length);
        end();
      });
    });
  }

  #fail(call: Call, fault: Fault, response: Answering): void {
    const dice = new Dice(this.#simulation.seed, 100_000 + fault.step);
    const happen = this.#happenings[fault.kind];
    if (happen === undefined) throw new Error(`${fault.kind} does not happen to a call`);
    happen(call, response, fault.amount, dice);
  }

  readonly #happenings: Partial<
    Record<FaultKind, (call: Call, response: Answering, amount: number, dice: Dice) => void>
  > = {
    'kill before': () => this.kill(),
    'kill after': (call) => this.#effects(call, () => this.kill()),
    'kill midway': (call, _answer, _amount, dice) =>
      this.#effects(call, () => this.kill(), { subset: call.parts.map(() => dice.chance(0.5)) }),
    'kill, effect late': (call, _answer, amount, dice) => {
      this.kill();
      this.#effects(call, () => {}, { delayMs: dice.below(this.#simulation.bounded ? LATE_MS : amount) });
    },
    'answer lost': (call, response) =>
      this.#effects(call, () =>
        this.#later(0, () => response({ error: new DatabaseError('TimeoutError', 'no answer', 500) })),
      ),
    'sent twice by the SDK': (call, response) => this.#effects(call, () => this.#perform(call, response)),
    throttled: (_call, response) =>
      this.#later(this.#simulation.latency(), () =>
        response({ error: new DatabaseError('ThrottlingException', 'slow down') }),
      ),
    'partly unprocessed': (call, response, _amount, dice) =>
      this.#perform(
        call,
        response,
        call.parts.map(() => dice.chance(0.5)),
      ),
    'stall before': (call, response, amount) => this.#freeze(amount, () => this.#perform(call, response)),
    'stall after': (call, response, amount) =>
      this.#effects(call, (results) =>
        this.#freeze(amount, () => this.#later(0, () => response(outcomeOf(call, results)))),
      ),
    'clock jump': (call, response, amount) => {
      if (this.#simulation.bounded) this.#clockOffsetMs = Math.sign(amount) * SKEW_MS;
      else this.#clockOffsetMs += amount;
      this.#perform(call, response);
    },
    'stale read': (call, response, amount) => this.#perform(call, response, undefined, amount),
  };

  #freeze(amount: number, then: () => void): void {
    const ms = this.#simulation.bounded ? (SHORT_STALLS_MS[amount] ?? amount) : amount;
    this.#frozenUntilMs = this.#simulation.nowMs + ms;
    this.#frozenMs += ms;
    this.#later(ms, then);
  }
}

function outcomeOf(call: Call, results: readonly (PartResult | undefined)[]): Outcome {
  try {
    return { value: call.response(results) };
  } catch (error) {
    return { error: error as Error };
  }
}

/**
 * A deterministic scheduler: one event at a time by virtual time, and after each one the code runs on until it waits for the
 * next answer. All that the code under test asks of the outside goes through `Invocation.io`, where the faults are.
 */
import { MemoryTable } from '../kit/memory-table/memory-table.ts';
import { Dice } from '../kit/dice.ts';
import { EventQueue } from './event-queue.ts';
import { describeFault, type Fault, type FaultSource, type Step } from './faults.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly faults: FaultSource;
  /** Keeps the lines of the trace, not only their hash. */
  readonly record?: boolean;
}

export const EPOCH_MS = Date.UTC(2026, 0, 5, 8);
const FNV_PRIME = 16_777_619;

export class Simulation {
  readonly table = new MemoryTable();
  /** Latencies, identifiers and every other choice of the surroundings. */
  readonly dice: Dice;
  readonly seed: number;
  readonly suffered: Fault[] = [];
  readonly steps: Step[] = [];
  readonly trace: string[] = [];
  nowMs = EPOCH_MS;
  quiet = false;
  #hash = 2_166_136_261;
  #touched = false;
  #invocations = 0;
  readonly #events = new EventQueue();
  readonly #faults: FaultSource;
  readonly #record: boolean;

  constructor({ seed, faults, record = false }: SimulationOptions) {
    this.seed = seed;
    this.dice = new Dice(seed, 1);
    this.#faults = faults;
    this.#record = record;
    this.table.nowMs = () => this.nowMs;
  }

  get traceHash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  nextInvocation(): number {
    this.#invocations += 1;
    return this.#invocations;
  }

  note(line: string): void {
    const text = `${this.nowMs - EPOCH_MS} ${line}`;
    for (let at = 0; at < text.length; at += 1) this.#hash = Math.imul(this.#hash ^ text.charCodeAt(at), FNV_PRIME);
    if (this.#record) this.trace.push(text);
  }

  /** Counts a step and says what goes wrong there. */
  step(what: Step, line: string): Fault | undefined {
    if (this.quiet) return undefined;
    const number = this.steps.push(what) - 1;
    const fault = this.#faults.at(number, what);
    if (fault !== undefined) this.suffered.push(fault);
    this.note(`${number} ${line}${fault === undefined ? '' : `  <-- ${describeFault(fault)}`}`);
    return fault;
  }

  after(delayMs: number, run: () => void): void {
    this.#events.add(this.nowMs + delayMs, run);
  }

  /** To be called where code under test was given something to go on with. */
  touch(): void {
    this.#touched = true;
  }

  latency(): number {
    return this.dice.between(2, 40);
  }

  /** Until nothing is left to happen, or until this moment. */
  async run(untilMs: number): Promise<void> {
    for (;;) {
      const event = this.#events.take();
      if (event === undefined) return;
      if (event.at > untilMs) throw new Error('the simulation did not come to rest');
      this.nowMs = Math.max(this.nowMs, event.at);
      event.run();
      if (!this.#touched) continue;
      this.#touched = false;
      await settled();
    }
  }
}

/** Once this has come back, every promise that could go on has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

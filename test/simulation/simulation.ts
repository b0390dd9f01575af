/**
 * A deterministic scheduler: one event at a time by virtual time; after each one the code runs until it waits for its
 * next result. The code under test reaches the outside only through `Invocation.io`, which injects the faults.
 */
import { setImmediate as immediate } from 'node:timers/promises';
import { MemoryTable } from '../kit/memory-table/memory-table.ts';
import { Dice } from '../kit/dice.ts';
import { describeFault, type Fault, type FaultSource, type Step } from './faults.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly faults: FaultSource;
  /** No invocation outlives its time-out by more than a margin, and clocks agree within it. Reverts rely on this. */
  readonly bounded?: boolean;
  readonly record?: boolean;
  /** Versions kept of each item; default: those that an eventually consistent read may return. */
  readonly keptVersions?: number;
}

export const EPOCH_MS = Date.UTC(2026, 0, 5, 8);
const FNV_PRIME = 16_777_619;
/** A long run yields to the process, for example for the messages of a test runner. */
const YIELDS_EVERY = 4_096;

export class Simulation {
  readonly table: MemoryTable;
  /** Every choice of the surroundings, such as latencies and identifiers. */
  readonly dice: Dice;
  readonly seed: number;
  readonly suffered: Fault[] = [];
  readonly steps: Step[] = [];
  readonly trace: string[] = [];
  nowMs = EPOCH_MS;
  quiet = false;
  readonly bounded: boolean;
  #hash = 2_166_136_261;
  #touched = false;
  #settled = 0;
  #invocations = 0;
  readonly #events = new EventQueue();
  readonly #faults: FaultSource;
  readonly #record: boolean;

  constructor({ seed, faults, bounded = false, record = false, keptVersions }: SimulationOptions) {
    this.bounded = bounded;
    this.table = new MemoryTable(keptVersions);
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

  /** Must be called after each result that lets the code under test continue. */
  touch(): void {
    this.#touched = true;
  }

  latency(): number {
    return this.dice.between(2, 40);
  }

  /** Runs until no event is left, until this moment, or until the simulation is over. */
  async run(untilMs: number, isOver = () => false): Promise<void> {
    while (!isOver()) {
      const event = this.#events.take();
      if (event === undefined) return;
      if (event.at > untilMs) throw new Error('the simulation did not come to rest');
      this.nowMs = Math.max(this.nowMs, event.at);
      event.run();
      if (!this.#touched) continue;
      this.#touched = false;
      await settled();
      if ((this.#settled += 1) % YIELDS_EVERY === 0) await immediate();
    }
  }
}

/** Resolves after every promise that can continue has: Node empties the queue of promises before the next tick. */
export function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** By virtual time, then by the order of scheduling. */
export class EventQueue {
  readonly #heap: Event[] = [];
  #scheduled = 0;

  get size(): number {
    return this.#heap.length;
  }

  add(at: number, run: () => void): void {
    const event = { at, order: (this.#scheduled += 1), run };
    let position = this.#heap.push(event) - 1;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!this.#before(position, parent)) break;
      this.#swap(position, parent);
      position = parent;
    }
  }

  take(): Event | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || this.#heap.length === 0) return first;
    this.#heap[0] = last;
    this.#sink(0);
    return first;
  }

  #sink(start: number): void {
    for (let position = start; ;) {
      const [left, right] = [2 * position + 1, 2 * position + 2];
      let next = position;
      if (left < this.#heap.length && this.#before(left, next)) next = left;
      if (right < this.#heap.length && this.#before(right, next)) next = right;
      if (next === position) return;
      this.#swap(position, next);
      position = next;
    }
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a] as Event, this.#heap[b] as Event];
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b] as Event, this.#heap[a] as Event];
  }
}

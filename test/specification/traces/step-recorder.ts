/** What an invocation that works for a revert or an erasure did, as far as both do it the same way: its turn, the gate, its steps. */
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Action, Add } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';

/** An invocation, from its read of the work on. */
export interface Working {
  readonly r: string;
  /** The read, which counts once the turn is taken: a delivery that has to wait is none. */
  readonly read: { a: string };
  isStarted: boolean;
  phase: string;
  /** Where it is in the phase. */
  at: unknown;
  /** What was read of the gate: then the next call may note that the work waits. */
  hasReadGate: boolean;
}

export const member = (item: Attributes | undefined, name: string): unknown => item?.[name];

export abstract class StepRecorder<Own extends Working> {
  protected readonly working = new Map<number, Own>();
  protected readonly state: SpokenState;
  protected readonly add: Add;

  constructor(state: SpokenState, add: Add) {
    this.state = state;
    this.add = add;
  }

  has(by: number): boolean {
    return this.working.has(by);
  }

  /** Sees any other item that the invocation reads or writes. */
  abstract see(effect: Effect): void;
  protected abstract begun(working: Working): Own;
  protected abstract placeIn(item: Attributes | undefined): unknown;
  /** The actions of a step to another phase or place. */
  protected abstract stepsTo(effect: Effect, working: Own, phase: string): readonly Action[];
  /** Called after a step: what it has read no longer counts. */
  protected abstract moved(working: Own): void;
  /** Sees a write to work that the invocation has done, or to other work. */
  protected abstract seeOther(effect: Effect, working: Own, r: string): void;

  /** Sees the item of the work itself. */
  protected seeWork(effect: Effect, r: string): void {
    if (effect.writes) this.#seeStep(effect, r);
    else this.#seeRead(effect, r);
  }

  #seeRead(effect: Effect, r: string): void {
    const { by, before } = effect;
    const earlier = this.working.get(by);
    // Who opens the gate reads the one that gets it.
    if (earlier !== undefined && earlier.phase !== 'done') return;
    const read = this.add(effect, { a: '', r });
    const stored = { phase: String(member(before, 'phase')), at: this.placeIn(before) };
    this.working.set(by, this.begun({ r, read, isStarted: false, ...stored, hasReadGate: false }));
  }

  #seeStep(effect: Effect, r: string): void {
    const { by, before, after } = effect;
    const working = this.working.get(by);
    if (working === undefined) return;
    const ok = before !== after;
    if (r !== working.r || working.phase === 'done') return this.seeOther(effect, working, r);
    if (!working.isStarted) {
      working.isStarted = true;
      working.read.a = 'ReadRevert';
      this.add(effect, { a: 'TakeTurn', r, ok });
      return;
    }
    if (ok) this.#seeMove(effect, working);
    else this.add(effect, { a: 'Outdated', r, ok });
  }

  #seeMove(effect: Effect, working: Own): void {
    const { before, after } = effect;
    const { r } = working;
    const [phase, at] = [String(member(after, 'phase')), this.placeIn(after)];
    const isAgain = phase === working.phase && at === working.at;
    // It waits, or its time is up and another one goes on.
    const isReleased = member(after, 'until') === undefined && member(before, 'due_at') === member(after, 'due_at');
    if (isAgain && (phase === 'waiting' || isReleased)) return;
    for (const action of isAgain ? [{ a: 'Again' }] : this.stepsTo(effect, working, phase))
      this.add(effect, { r, ok: true, ...action });
    Object.assign(working, { phase, at });
    this.moved(working);
  }

  /** The gate, before the work holds it. */
  protected seeTaking(effect: Effect, working: Own): void {
    const { writes, before, after } = effect;
    const { r } = working;
    const ok = before !== after;
    const holder = this.state.holderIn(after);
    // The next call closes an open gate.
    const isClosed = !writes && holder !== 'none';
    if (working.hasReadGate && writes) this.add(effect, { a: 'Wait', r, ok });
    else if (isClosed || ok) this.add(effect, { a: 'TakeGate', r, holder, ok });
    working.hasReadGate = isClosed;
  }
}

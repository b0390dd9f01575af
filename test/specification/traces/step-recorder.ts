/** Records what reverts and erasures do in the same way: the turn, the gate, the steps. */
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Action, Add } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';

/** An invocation, from its read of the work item on. */
export interface Working {
  readonly r: string;
  readonly pk: string;
  /** The read. It counts once the turn is taken: a delivery that has to wait does not. */
  readonly read: { a: string };
  isStarted: boolean;
  phase: string;
  /** Where it is in the phase. */
  at: unknown;
  /** After it, the next call may note that the work waits. */
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

  abstract see(effect: Effect): void;
  protected abstract begun(working: Working): Own;
  /** Whether the step that is stored is that it waits. */
  protected isWaiting({ phase }: Own): boolean {
    return phase === 'waiting';
  }
  protected abstract placeIn(item: Attributes | undefined): unknown;
  /** The actions of a step to another phase or place. */
  protected abstract stepsTo(effect: Effect, working: Own, phase: string): readonly Action[];
  /** Called after a step: earlier reads no longer count. */
  protected abstract moved(working: Own): void;
  /** Sees a write to work that the invocation has finished, or to other work. */
  protected abstract seeOther(effect: Effect, working: Own, r: string): void;

  protected seeWork(effect: Effect, r: string): void {
    if (effect.writes) this.#seeStep(effect, r);
    else this.#seeRead(effect, r);
  }

  #seeRead(effect: Effect, r: string): void {
    const { by, key, before } = effect;
    const earlier = this.working.get(by);
    // An invocation that opens the gate reads the work that gets it.
    if (earlier !== undefined && earlier.phase !== 'done') return;
    const read = this.add(effect, { a: '', r });
    const stored = { phase: String(member(before, 'phase')), at: this.placeIn(before) };
    this.working.set(by, this.begun({ r, pk: key.pk, read, isStarted: false, ...stored, hasReadGate: false }));
  }

  #seeStep(effect: Effect, r: string): void {
    const { by, key, before, after } = effect;
    const working = this.working.get(by);
    if (working === undefined) return;
    const ok = before !== after;
    if (key.pk !== working.pk || working.phase === 'done') return this.seeOther(effect, working, r);
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
    // It waits, or its time is up and another invocation resumes.
    const isReleased = member(after, 'until') === undefined && member(before, 'due_at') === member(after, 'due_at');
    if (isAgain && (this.isWaiting(working) || isReleased)) return;
    for (const action of isAgain ? [{ a: 'Again' }] : this.stepsTo(effect, working, phase))
      this.add(effect, { r, ok: true, ...action });
    Object.assign(working, { phase, at });
    this.moved(working);
  }

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

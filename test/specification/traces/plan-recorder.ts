/** Records what an invocation did for the application of a plan, in the actions of the specification. */
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Action, Seen } from './seen.ts';
import { StepRecorder, member, type Working } from './step-recorder.ts';

/** The only plan that a history has. */
export const PLAN = 'plan';

/** What the driver has done since its last step was stored. */
interface Done {
  /** Where it knew whether the plan is cancelled. It reads the gate later. */
  known?: Seen;
  /** The gate is held: it waits. */
  isWaiting?: true;
  isStaged?: true;
  /** It has found the plan cancelled, and cancels its imports. */
  isCancelling?: true;
}

interface Driving extends Working {
  done: Done;
}

function isCancelling({ key, writes, before, command }: Effect): boolean {
  if (key.sk !== 'import' || !writes || before === undefined) return false;
  const { ExpressionAttributeNames = {} } = (command as { input: { ExpressionAttributeNames?: object } }).input;
  return Object.values(ExpressionAttributeNames).includes('cancelled_at');
}

const isCancelled = (item: Attributes | undefined): boolean => typeof member(item, 'cancelled_at') === 'string';

export class PlanRecorder extends StepRecorder<Driving> {
  #isCancelled = false;
  protected begun = (working: Working): Driving => ({ ...working, done: {} });
  protected placeIn = (item: Attributes | undefined): unknown => member(item, 'next');
  protected seeOther(): void {}

  protected moved(working: Driving): void {
    working.done = {};
  }

  seePlan(effect: Effect): void {
    const { kind, writes, before, after } = effect;
    if (kind === 'process') return this.#seeDriver(effect);
    if (!writes || before === after) return;
    if (before === undefined) this.add(effect, { a: 'MakePlan', r: PLAN });
    else if (member(before, 'status') === 'waiting' && member(after, 'status') === 'applying')
      this.add(effect, { a: 'Apply', r: PLAN });
    else if (!isCancelled(before) && isCancelled(after)) {
      this.#isCancelled = true;
      this.add(effect, { a: 'CancelPlan', r: PLAN });
    }
  }

  #seeDriver(effect: Effect): void {
    this.seeWork(effect, PLAN);
    const working = this.working.get(effect.by);
    if (!effect.writes || effect.before === effect.after || working === undefined) return;
    working.done.known = this.add(effect, { a: '', r: PLAN });
  }

  /** What the driver does to an import that it cancels is what any cancel does. */
  byCancel(effect: Effect): Effect {
    const working = this.working.get(effect.by);
    if (working === undefined || effect.key.sk === 'plan') return effect;
    if (isCancelling(effect)) working.done.isCancelling = true;
    return working.done.isCancelling === true && effect.key.pk.includes('#import#')
      ? { ...effect, kind: 'cancel' }
      : effect;
  }

  protected override isWaiting({ done }: Driving): boolean {
    return done.isWaiting === true;
  }

  protected stepsTo({ after }: Effect, { phase }: Driving, next: string): readonly Action[] {
    if (phase === 'applying' && next === 'applying') return [{ a: 'MoveOn' }];
    const cancels = isCancelled(after) ? [{ a: 'ReadGateForPlan' }, { a: 'CancelLast' }] : [];
    if (next !== 'done') return cancels.length > 0 ? [...cancels, { a: 'Again' }] : [];
    const looks = isCancelled(after) ? cancels : [{ a: 'ReadGateForPlan' }];
    return [...looks, { a: 'EndPlan', status: String(member(after, 'status')) }];
  }

  see(effect: Effect): void {
    const working = this.working.get(effect.by);
    if (working?.phase !== 'applying') return;
    if (effect.writes) this.#seeWrite(effect, working);
    else if (effect.key.sk === 'gate') this.#seeGate(effect, working);
  }

  /** In the specification, one call reads the gate and whether the plan is cancelled: the later one, unless a cancel came between. */
  #seeGate(effect: Effect, { r, done }: Driving): void {
    if (this.state.holderIn(effect.after) !== 'none') done.isWaiting = true;
    if (this.#isCancelled) Object.assign(done.known ?? {}, { a: 'ReadGateForPlan' });
    else this.add(effect, { a: 'ReadGateForPlan', r });
  }

  #seeWrite(effect: Effect, { r, done }: Driving): void {
    const { key, before, after } = effect;
    if (key.sk.startsWith('payload#') && done.isStaged === undefined) {
      done.isStaged = true;
      this.add(effect, { a: 'StageNext', r });
    }
    const isCommitted = key.sk === 'import' && before === undefined && after !== undefined;
    if (isCommitted)
      this.add(effect, { a: 'CommitNext', r, i: this.state.importOf(key), at: String(after['created_at']) });
  }
}

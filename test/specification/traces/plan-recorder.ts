/** Records what an invocation did for the application of a plan, in the actions of the specification. */
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Action, Seen } from './seen.ts';
import { StepRecorder, member, type Working } from './step-recorder.ts';

/** The only plan that a history has; and the import that it makes of its only dry run. */
export const PLAN = 'plan';
export const OF_PLAN = 'C';

/** What the driver has done since its last step was stored. */
interface Done {
  /** Where it knew whether the plan is cancelled. The gate, which it reads later, is open in each history. */
  known?: Seen;
  isStaged?: true;
  /** It has found the plan cancelled, and cancels the import. */
  isCancelling?: true;
}

interface Driving extends Working {
  done: Done;
}

const isCancelled = (item: Attributes | undefined): boolean => typeof member(item, 'cancelled_at') === 'string';

export class PlanRecorder extends StepRecorder<Driving> {
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
    else if (!isCancelled(before) && isCancelled(after)) this.add(effect, { a: 'CancelPlan', r: PLAN });
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
    this.#seeCancelling(effect, working);
    return working.done.isCancelling === true && effect.key.pk.includes('#import#')
      ? { ...effect, kind: 'cancel' }
      : effect;
  }

  #seeCancelling(effect: Effect, { r, done }: Driving): void {
    const { key, writes, before, command } = effect;
    if (key.sk !== 'import' || !writes || before === undefined || done.isCancelling === true) return;
    const { ExpressionAttributeNames = {} } = (command as { input: { ExpressionAttributeNames?: object } }).input;
    if (!Object.values(ExpressionAttributeNames).includes('cancelled_at')) return;
    done.isCancelling = true;
    for (const a of ['ReadGateForPlan', 'CancelLast']) this.add(effect, { a, r });
  }

  protected stepsTo({ after }: Effect, { phase, done }: Driving, next: string): readonly Action[] {
    if (phase === 'applying' && next === 'applying') return [{ a: 'MoveOn' }];
    const cancels =
      isCancelled(after) && done.isCancelling !== true ? [{ a: 'ReadGateForPlan' }, { a: 'CancelLast' }] : [];
    if (next !== 'done') return cancels.length > 0 || done.isCancelling === true ? [...cancels, { a: 'Again' }] : [];
    const looks = isCancelled(after) ? cancels : [{ a: 'ReadGateForPlan' }];
    return [...looks, { a: 'EndPlan', status: String(member(after, 'status')) }];
  }

  see(effect: Effect): void {
    const working = this.working.get(effect.by);
    if (working?.phase !== 'applying') return;
    if (effect.writes) this.#seeWrite(effect, working);
    else if (effect.key.sk === 'gate') Object.assign(working.done.known ?? {}, { a: 'ReadGateForPlan' });
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

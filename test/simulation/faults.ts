/** The faults of a step, and their places in a run. */
import { Dice } from '../kit/dice.ts';

export type FaultKind =
  | 'kill before'
  | 'kill after'
  | 'kill midway'
  | 'kill, effect late'
  | 'answer lost'
  | 'sent twice by the SDK'
  | 'throttled'
  | 'partly unprocessed'
  | 'stall before'
  | 'stall after'
  | 'clock jump'
  | 'stale read'
  | 'message duplicated'
  | 'message delayed'
  | 'message to dead letters'
  | 'message not deleted';

/** A fault of the step-th I/O of the run. `amount`: milliseconds, for kinds that have one. */
export interface Fault {
  readonly step: number;
  readonly kind: FaultKind;
  readonly amount: number;
}

export interface Step {
  readonly who: string;
  readonly writes: boolean;
  readonly eventual: boolean;
  readonly partial: boolean;
  readonly parts: number;
  readonly delivery: boolean;
  readonly body?: string;
  readonly toQueue?: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An exhaustive run tries all of them, a random one draws one. */
const AMOUNTS: Partial<Record<FaultKind, readonly number[]>> = {
  'kill, effect late': [10 * SECOND],
  'stall before': [30 * SECOND, 3 * MINUTE, 26 * HOUR],
  'stall after': [30 * SECOND, 3 * MINUTE, 26 * HOUR],
  'clock jump': [-5 * MINUTE, 5 * MINUTE, 25 * HOUR],
  'stale read': [20 * SECOND],
  'message delayed': [5 * MINUTE, 3 * HOUR],
};

const DELIVERY: readonly FaultKind[] = [
  'message duplicated',
  'message delayed',
  'message to dead letters',
  'message not deleted',
];

export function kindsFor(step: Step): FaultKind[] {
  if (step.delivery) return [...DELIVERY];
  const kinds: FaultKind[] = ['kill before', 'throttled', 'stall before', 'clock jump'];
  if (step.writes) kinds.push('kill after', 'kill, effect late', 'answer lost', 'sent twice by the SDK', 'stall after');
  if (step.writes && step.parts > 1) kinds.push('kill midway');
  if (step.partial) kinds.push('partly unprocessed');
  if (step.eventual) kinds.push('stale read');
  return kinds;
}

export function everyFault(step: Step, at: number): Fault[] {
  return kindsFor(step).flatMap((kind) => (AMOUNTS[kind] ?? [0]).map((amount) => ({ step: at, kind, amount })));
}

/** One fault of each kind, and two stalls: one that outlasts a redelivery and one that outlasts the import. */
export function fewFaults(step: Step, at: number): Fault[] {
  const isFew = ({ kind, amount }: Fault) =>
    (AMOUNTS[kind] ?? [0]).slice(kind.startsWith('stall') ? -2 : -1).includes(amount);
  return everyFault(step, at).filter(isFew);
}

export interface FaultSource {
  at(step: number, what: Step): Fault | undefined;
}

export function scripted(faults: readonly Fault[]): FaultSource {
  const byStep = new Map(faults.map((fault) => [fault.step, fault]));
  return { at: (step) => byStep.get(step) };
}

/** Throttles the first `count` database calls of a function among those that the dice choose. */
export function throttling(who: string, count: number, dice: Dice, share = 1): FaultSource {
  let left = count;
  return {
    at(step, what) {
      if (what.who !== who || what.delivery || what.toQueue === true || left === 0 || !dice.chance(share))
        return undefined;
      left -= 1;
      return { step, kind: 'throttled', amount: 0 };
    },
  };
}

/** Each eventually consistent read misses the writes of the last 20 seconds. */
export const staleReads: FaultSource = {
  at: (step, { eventual }) => (eventual ? { step, kind: 'stale read', amount: 20 * SECOND } : undefined),
};

/** Up to `most` faults at random steps of the first `horizon`. */
export function randomFaults(seed: number, most: number, horizon: number): FaultSource {
  const dice = new Dice(seed, 77);
  const steps = new Set(Array.from({ length: dice.between(0, most) }, () => dice.below(horizon)));
  return {
    at(step, what) {
      if (!steps.has(step)) return undefined;
      const own = new Dice(seed, 1000 + step);
      const kind = own.pick(kindsFor(what));
      return { step, kind, amount: own.pick(AMOUNTS[kind] ?? [0]) };
    },
  };
}

export function describeFault({ step, kind, amount }: Fault): string {
  return `${step}: ${kind}${amount === 0 ? '' : ` ${amount / SECOND} s`}`;
}

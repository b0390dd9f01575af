/** Which calls of the code each action of the specification is. */
import type { Key } from '../../kit/memory-table/memory-table.ts';
import type { Call } from '../../simulation/invocation.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Step } from './behaviours.ts';
import { importIdOf, importOf } from './subjects.ts';

/** When an action of an invocation is over. */
export interface Rule {
  /** Of several calls that are about to be made, the one to make; if there is none, one that the second condition holds of. */
  readonly prefers?: (call: Call) => boolean;
  readonly orElse?: (call: Call) => boolean;
  /** The call that follows, which is not made yet. */
  readonly before?: (call: Call) => boolean;
  /** The last call of the action, by what it does, or by itself. */
  readonly until?: (effect: Effect) => boolean;
  readonly after?: (call: Call) => boolean;
}

export const changes = ({ before, after }: Effect): boolean => before !== after;
export const isSame = (one: Key, other: Key): boolean => one.pk === other.pk && one.sk === other.sk;
/** Whether a call is about to write an item whose key has this part. */
export const isWrite =
  (part: string) =>
  ({ name, writes }: Call): boolean =>
    writes && name.includes(part);
const isRead =
  (part: string) =>
  ({ name, writes }: Call): boolean =>
    !writes && name.includes(part);
const written =
  (part: string) =>
  ({ key, writes }: Effect): boolean =>
    writes && `${key.pk} ${key.sk}`.includes(part);
export const changed = (part: string) => (effect: Effect) => written(part)(effect) && changes(effect);
/** Whether an update names an attribute that begins so. */
export const names =
  (attribute: string) =>
  ({ command }: Effect): boolean => {
    const { input } = command as { input: { ExpressionAttributeNames?: Record<string, string> } };
    return Object.values(input.ExpressionAttributeNames ?? {}).some((name) => name.startsWith(attribute));
  };

/** Those that depend on nothing but the name. */
export const RULES = {
  Decide: { before: isWrite(' plan#') },
  PutPlan: { until: written(' plan#') },
  LookAgain: { before: (call) => isWrite('#record#')(call) || isWrite(' relied#')(call) },
  // A claim that fails ends with the read of the holder.
  Claim: { until: (effect) => effect.key.pk.includes('#record#') && (!effect.writes || changes(effect)) },
  Keep: { until: written('#record#') },
  // A repeat ends with the read of what is there.
  Write: { until: (effect) => effect.key.pk.includes('#learner#') && (!effect.writes || changes(effect)) },
  Note: { until: written(' relied#') },
  Summarise: { until: names('summary#') },
  Settle: { until: names('completed_at') },
  TakeGate: { until: ({ key }) => key.sk === 'gate' },
  ReadNotes: { after: ({ name }) => name.startsWith('Query') },
  ReadRelying: { before: ({ writes }) => writes },
  GiveOwn: { until: changed('#learner#') },
  NoteNext: { until: written(' relied#') },
  ForgetNote: { until: changed(' relied#') },
  ReadReport: { until: ({ key }) => key.sk === 'revert-report' },
  DecideReport: { before: isWrite(' revert-report') },
  PutReport: { until: written(' revert-report') },
  Remove: { until: changed('#learner#') },
  Free: { until: written('#record#') },
  MarkReverted: { until: names('reverted_at') },
  PassGate: { until: changed(' gate') },
  AfterErasureFence: { until: ({ after }) => after?.['phase'] === 'erasing' },
  ListImports: { before: isRead(' plan#') },
  ListAgain: { before: isRead(' plan#') },
  FreeErased: { until: written('#record#') },
  ErasePayload: { until: written(' payload#') },
  ErasePlan: { until: written(' plan#') },
  ReadLearner: { before: (call) => isWrite('#record#')(call) || isWrite('#learner#')(call) },
  FreeLearner: { until: written('#record#') },
  DeleteLearner: { until: written('#learner#') },
} as const satisfies Readonly<Record<string, Rule>>;

/** Those that store a step of a revert or an erasure; the second ones only where there is nothing else to do. */
const STEPS = new Set([
  ...['TakeTurn', 'StoreFirstFence', 'AfterFirstFence', 'Given', 'Removed', 'Opened', 'Done'],
  ...['StoreErasureFence', 'EraseEnds', 'AfterSecondFence', 'Erased', 'LearnerDeleted', 'ForgetErasure'],
]);
const READS = new Set(['ReadImports', 'ReadNotes', 'ReadReport']);

const revertsIn = (step: Step | undefined): readonly string[] => step?.shown['reverts'] ?? [];

/** The job of an invocation, and the key of the item that says how far it is, if it is a revert or an erasure. */
interface Job {
  readonly job: string;
  readonly own: Key;
}

/** The calls of an action of an invocation, between two states. */
export function ruleOf({ job, own }: Job, before: Step | undefined, step: Step): Rule {
  const [name, place, what = ''] = step.did;
  const lineOf = (state: Step | undefined) => revertsIn(state).find((line) => line.startsWith(`${job} `));
  const isMoved = lineOf(before) !== lineOf(step) || !step.running.has(Number(place));
  if (STEPS.has(name) || (READS.has(name) && isMoved))
    return { until: ({ key, writes }) => writes && isSame(key, own) };
  const rule: Rule = RULES[name as keyof typeof RULES] ?? {};
  const isStep = isWrite(`${own.pk} ${own.sk}`);
  const isOfImport = (call: Call) => call.name.includes(importIdOf(importOf(String(what))));
  const isGateChanged = before?.shown['gate']?.join() !== step.shown['gate']?.join();
  const special: Readonly<Record<string, Rule>> = {
    // An erasure closes the gate with its first step, or notes there that it waits: again where the gate has changed.
    TakeGate: isGateChanged ? { until: changed(' gate') } : {},
    Wait: { until: isGateChanged ? changed(' gate') : written(' gate') },
    ReadImports: { before: isStep },
    ReadNotes: { before: isStep },
    SendWaiting: { before: isStep },
    PassGate: { before: isStep },
    GiveOwn: { prefers: isWrite(`#learner#${what === 'p' ? 1 : 2} `) },
    Remove: { prefers: isWrite(`#learner#${what === 'p' ? 1 : 2} `) },
    Free: { prefers: isWrite(`#record#${what} `) },
    FreeLearner: { prefers: isWrite(`#record#${what} `) },
    ErasePayload: { prefers: (call) => isWrite(' payload#')(call) && isOfImport(call), orElse: isOfImport },
    ErasePlan: { prefers: (call) => isWrite(' plan#')(call) && isOfImport(call), orElse: isOfImport },
    PassErasureGate: {
      until: ({ key, before: was, after }) =>
        key.sk === 'gate' && (was !== after || was?.['by'] !== `erasure#${own.pk.split('#')[2]}`),
    },
    SendAfterErasure: { before: isStep },
    MarkReverted: { prefers: (call) => call.name.includes(importIdOf(String(what))) },
    BeginNext: {
      before: isStep,
      ...(revertsIn(step).join() !== revertsIn(before).join() && {
        until: ({ key, writes }: Effect) => writes && key.sk === 'revert' && !isSame(key, own),
      }),
    },
  };
  return { ...rule, ...special[name] };
}

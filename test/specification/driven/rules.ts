/** Which calls of the code each action of the specification is. */
import type { Key } from '../../kit/memory-table/memory-table.ts';
import type { Call } from '../../simulation/invocation.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Step } from './behaviours.ts';
import { importIdOf, importOf, USER_OF_PAIR } from './subjects.ts';

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
  Wait: { until: written(' gate') },
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

/** Those that store a step of a revert or an erasure. */
const STEPS = new Set([
  'TakeTurn',
  'StoreFirstFence',
  'AfterFirstFence',
  'Given',
  'Removed',
  'Opened',
  'Done',
  'StoreErasureFence',
  'EraseEnds',
  'AfterSecondFence',
  'Erased',
  'LearnerDeleted',
  'ForgetErasure',
]);
/** Those that do so where there is nothing else to do; else they only read. */
const READS = new Set(['ReadImports', 'ReadNotes', 'ReadReport']);
/** Those that end where the next step is about to be stored: before anything else, if there is nothing to do. */
const BEFORE_STEP = new Set([
  'ReadImports',
  'ReadNotes',
  'SendWaiting',
  'PassGate',
  'BeginNext',
  'ReadLearner',
  'DeleteLearner',
  'SendAfterErasure',
]);

/** The job of an invocation, and the key of the item that says how far it is, if it is a revert or an erasure. */
interface Job {
  readonly job: string;
  readonly own: Key;
}

const linesOf = (step: Step | undefined, member: string): readonly string[] => step?.shown[member] ?? [];
const differ = (member: string, before: Step | undefined, step: Step): boolean =>
  linesOf(before, member).join() !== linesOf(step, member).join();

/** The calls of an action of an invocation, between two states. */
export function ruleOf({ job, own }: Job, before: Step | undefined, step: Step): Rule {
  const [name, place, what = ''] = step.did;
  const lineOf = (state: Step | undefined) => linesOf(state, 'reverts').find((line) => line.startsWith(`${job} `));
  const isMoved = lineOf(before) !== lineOf(step) || !step.running.has(Number(place));
  if (STEPS.has(name) || (READS.has(name) && isMoved))
    return { until: ({ key, writes }) => writes && isSame(key, own) };
  const rule: Rule = RULES[name as keyof typeof RULES] ?? {};
  const isStep = isWrite(`${own.pk} ${own.sk}`);
  return {
    ...rule,
    ...(BEFORE_STEP.has(name) && { before: (call) => isStep(call) || rule.before?.(call) === true }),
    ...PREFERRED[name]?.(String(what)),
    ...untilOf(name, own, (member) => differ(member, before, step)),
  };
}

/** Which of several calls an action is, by what tells it from others of its name. */
const PREFERRED: Readonly<Record<string, (what: string) => Rule>> = {
  GiveOwn: (pair) => ({ prefers: isWrite(`#learner#${USER_OF_PAIR[pair]} `) }),
  Remove: (pair) => ({ prefers: isWrite(`#learner#${USER_OF_PAIR[pair]} `) }),
  Free: (id) => ({ prefers: isWrite(`#record#${id} `) }),
  FreeLearner: (id) => ({ prefers: isWrite(`#record#${id} `) }),
  MarkReverted: (i) => ({ prefers: ({ name }) => name.includes(importIdOf(i)) }),
  ErasePayload: (chunk) => ofImport(chunk, ' payload#'),
  ErasePlan: (chunk) => ofImport(chunk, ' plan#'),
};

function ofImport(chunk: string, part: string): Rule {
  const isOf = ({ name }: Call) => name.includes(importIdOf(importOf(chunk)));
  return { prefers: (call) => isWrite(part)(call) && isOf(call), orElse: isOf };
}

/** The last call, where it depends on what the action changes. */
function untilOf(name: string, own: Key, isChanged: (member: string) => boolean): Rule | undefined {
  // An erasure closes the gate itself, or notes there that it waits: again where the gate has changed.
  if ((name === 'TakeGate' || name === 'Wait') && isChanged('gate')) return { until: changed(' gate') };
  if (name === 'PassErasureGate') return { until: (effect) => effect.key.sk === 'gate' && isPassed(effect, own) };
  if (name === 'BeginNext' && isChanged('reverts'))
    return { until: ({ key, writes }) => writes && key.sk === 'revert' && !isSame(key, own) };
  return undefined;
}

/** Whether an erasure has passed the gate, or finds that it has not got it. */
const isPassed = (effect: Effect, { pk }: Key): boolean =>
  changes(effect) || effect.before?.['by'] !== `erasure#${pk.split('#')[2]}`;

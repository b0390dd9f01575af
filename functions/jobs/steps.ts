/** Work of more than one invocation, one at a time (a revert, an erasure, an application): each step is stored before the next. */
import { members, number, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, differs, equals, type Condition } from '../dynamodb/expressions.ts';
import { getItem, updateItem } from '../dynamodb/items.ts';
import { dueAt, placeOf, positionIn, type Key } from '../dynamodb/table.ts';
import { LONGEST_CHAIN, type JobQueue } from './queue.ts';
import type { Message, SteppedWork } from './work.ts';
import { instant } from '../records/instants.ts';
import { RUN_EVENT_TYPES, type RunEventType } from '../shared/codes.ts';
import { PROCESSOR_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { Clock } from '../runtime/system.ts';
import type { ImportPosition, Instant } from '../shared/model.ts';

const SECOND = 1_000;
/** Covers clocks that differ, and writes that arrive after their function has ended. */
const MARGIN_SECONDS = 5;
/** An invocation starts no step after this. More than half of its time is left for the current one. */
const WORKING_MS = 8 * SECOND;
/** Delay after which the watchdog retries a step that was expected. */
export const STEP_DUE_MS = 60 * SECOND;
/** From here on a chain is due at once: the watchdog begins the next one before this one ends, which takes longer than a minute. */
const LATE_IN_CHAIN = LONGEST_CHAIN - Math.ceil((60 * SECOND) / WORKING_MS);

/** Time after which every earlier invocation of a function with this time-out has ended. */
export const fenceMs = (timeoutSeconds: number): number => (timeoutSeconds + MARGIN_SECONDS) * SECOND;

/** A turn outlasts the invocation that took it. */
const TURN_MS = fenceMs(PROCESSOR_TIMEOUT_SECONDS);

/** The members that all work in steps has. Every step raises `version`, which the next write is conditional on. */
export interface Stepped {
  readonly phase: string;
  /** Before, no other invocation takes a step: a fence, or the turn of one that works. */
  readonly until?: Instant | undefined;
  /** When the watchdog retries it; absent once it is done and owes nothing. */
  readonly due_at?: Instant;
  /** Notices that are not sent yet (`owed.ts`). */
  readonly owes?: readonly RunEventType[];
  /** The last import that this phase has handled; absent at its start. */
  readonly after?: ImportPosition | undefined;
  /** How often the watchdog has sent it since its last step. */
  readonly resends: number;
  readonly version: number;
}

type Update<State> = Partial<State> & Partial<Stepped>;

/** How a kind of work is stored: the members that it has beside those of `Stepped`. */
interface Form<Ids, State extends Stepped> {
  readonly idsOf: (state: State) => Ids;
  readonly keyOf: (ids: Ids) => Key;
  readonly pack: (state: State) => Item;
  readonly unpack: (ids: Ids, item: Item) => State;
}

const DONE = 'done';

const OWES = 'owes';

/** The attributes of these members; the entry in the index of open work ends with the work, and with what it owes. */
export function packStepped({ phase, until, after, due_at, owes = [], resends, version }: Stepped): Item {
  const isOpen = phase !== DONE || owes.length > 0;
  const due = due_at === undefined || !isOpen ? {} : dueAt(due_at);
  const place = after && { after: placeOf(after) };
  const owed = owes.length > 0 && { [OWES]: owes.join() };
  return { phase, resends, version, ...(until !== undefined && { until }), ...place, ...due, ...owed };
}

const owedIn = (item: Item, name: string) => RUN_EVENT_TYPES.filter((type) => text(item, name).includes(type));

export const unpackStepped = (item: Item): Omit<Stepped, 'phase'> => ({
  ...members(item, { resends: number, version: number }),
  ...storedMembers(item, { until: text, due_at: text, owes: owedIn, after: (of, name) => positionIn(text(of, name)) }),
});

/** Reads work and changes it, if no other invocation changed it meanwhile. */
export function stepStore<Ids, State extends Stepped>(
  database: Database,
  { idsOf, keyOf, pack, unpack }: Form<Ids, State>,
) {
  const attributesOf = (state: State): Item => ({ ...pack(state), ...packStepped(state) });
  return {
    /** Strongly consistent; `undefined` if it does not exist. */
    read: async (ids: Ids): Promise<State | undefined> => {
      const item = await getItem(database, keyOf(ids));
      return item && unpack(ids, item);
    },

    /** Changes the work if its version is still that of `state`, and `and` holds. Returns it as it is then, or `undefined`. */
    advance: async (state: State, change: Update<State>, ...and: readonly Condition[]): Promise<State | undefined> => {
      const next: State = { ...state, ...change, version: state.version + 1 };
      const [before, after] = [attributesOf(state), attributesOf(next)];
      const isUnchanged = equals('version', state.version);
      const moved = await updateItem(database, keyOf(idsOf(state)), {
        set: Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name])),
        remove: Object.keys(before).filter((name) => !(name in after)),
        when: allOf(isUnchanged, ...and),
      });
      return moved ? next : undefined;
    },

    /** Says when the watchdog looks again, unless the work is done. Not a new version: the invocation whose turn it is goes on. */
    postpone: (state: State, due_at: Instant): Promise<boolean> =>
      updateItem(database, keyOf(idsOf(state)), { set: dueAt(due_at), when: differs('phase', DONE) }),

    /**
     * Takes out what was owed, and the entry of open work unless steps are left. Not a new version: nobody who changes the work has to
     * try again for it. False if the work changed since it was read.
     */
    settle: (state: State, hasSteps: boolean): Promise<boolean> => {
      const due = hasSteps || state.due_at === undefined ? {} : dueAt(state.due_at);
      const remove = [OWES, ...Object.keys(due)];
      return updateItem(database, keyOf(idsOf(state)), { remove, when: equals('version', state.version) });
    },
  };
}

/** How a step stores its progress, and learns whether there is time for another. */
export interface StepTools<State> {
  /** Stores a step, and when the watchdog retries it. Returns the work after it; `undefined` if another invocation was first. */
  readonly move: (state: State, change: Update<State>) => Promise<State | undefined>;
  /** The end of a fence that is counted from now: the write before it has been acknowledged. */
  readonly afterFence: () => Instant;
  readonly hasTime: () => boolean;
}

/** The change after which other invocations need not wait for this one. */
export const TURN_OVER = { until: undefined } as const;

interface Steps<State extends Stepped> {
  readonly state: State | undefined;
  /** Takes one step. Returns the work after it; `undefined` if another invocation holds it, it must wait, or it is finished. */
  readonly step: (state: State, tools: StepTools<State>) => Promise<State | undefined>;
  readonly advance: (state: State, change: Update<State>) => Promise<State | undefined>;
  /** Time after which every invocation that started before the fence has ended. */
  readonly fenceMs: number;
  readonly startedMs?: number;
  /** The watchdog sends it every minute, also while steps are taken, so that the end of a chain is no pause. */
  readonly isSentEveryMinute?: true;
}

/** Takes steps until the work is done, must wait, or the time is used up; a message then continues it. */
export async function takeSteps<State extends Stepped>(
  message: Message<SteppedWork>,
  { state, step, advance, fenceMs: ms, startedMs: started, isSentEveryMinute }: Steps<State>,
  { clock, queue }: { readonly clock: Clock; readonly queue: Pick<JobQueue, 'send'> },
): Promise<void> {
  const startedMs = started ?? clock.nowMs();
  let isFenced = false;
  const tools: StepTools<State> = {
    move: (from, change) => {
      isFenced = change.until !== undefined;
      const nextMs = change.until === undefined ? clock.nowMs() : Date.parse(change.until);
      const dueMs = message.hops < LATE_IN_CHAIN ? nextMs + STEP_DUE_MS : nextMs;
      const due = isSentEveryMinute ? {} : { resends: 0, due_at: instant(dueMs) };
      return advance(from, { ...due, ...change });
    },
    afterFence: () => instant(clock.nowMs() + ms),
    hasTime: () => clock.nowMs() - startedMs < WORKING_MS,
  };
  const resume = async (waitMs: number): Promise<void> => {
    const next = { ...message, hops: message.hops + 1, delaySeconds: Math.ceil(waitMs / SECOND) };
    if (message.hops < LONGEST_CHAIN) await queue.send([next]);
  };
  const setUntil = (from: State, until: Instant | undefined, change: Update<State> = {}) =>
    advance(from, { ...change, until });
  if (state === undefined) return;
  const waitMs = leftMs(state, clock);
  if (waitMs > 0) return resume(waitMs);
  let current = await setUntil(state, instant(clock.nowMs() + TURN_MS));
  while (current !== undefined) {
    if (isFenced) return resume(leftMs(current, clock));
    if (!tools.hasTime()) {
      const isReleased = (await setUntil(current, undefined)) !== undefined;
      return isReleased ? resume(0) : undefined;
    }
    current = await step(current, tools);
  }
}

/** Milliseconds until another invocation may take a step; 0 if one may now. */
export const leftMs = ({ until }: Pick<Stepped, 'until'>, clock: Clock): number =>
  until === undefined ? 0 : Math.max(0, Date.parse(until) - clock.nowMs());

/** Leads the real handlers, on the real stores, through the actions of a behaviour of the specification. */
import { planKey } from '../../../functions/dynamodb/table.ts';
import { ABANDONING_GRACE_MS } from '../../../functions/imports/lifecycle.ts';
import type { Call } from '../../simulation/invocation.ts';
import { EPOCH_MS } from '../../simulation/simulation.ts';
import type { Variant } from '../../simulation/stack.ts';
import { COMPANY } from '../../simulation/world.ts';
import type { Step } from './behaviours.ts';
import { Company } from './company.ts';
import type { Held } from './held.ts';
import { changed, changes, isSame, isWrite, names, RULES, ruleOf } from './rules.ts';
import { SpokenState } from '../traces/spoken-state.ts';
import { type Shown, shownIn } from './shown.ts';
import { idOf, importIdOf, importOf, isChunk, NAMES, revertReadBy } from './subjects.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** An import is given up after so many, and a day. */
const RESENDS = 4;

/** The first action after which the table is not in the state of the specification. */
export interface Difference {
  readonly at: number;
  /** What differs. */
  readonly lines: readonly string[];
}

/** Takes the actions of a behaviour, one after the other. Returns `undefined` if the table is in the right state after each. */
export async function follow(behaviour: readonly Step[], variant?: Variant): Promise<Difference | undefined> {
  const driver = new Driver(variant);
  await driver.company.create(behaviour[0]?.records ?? {}, isErased(behaviour));
  for (const [at, step] of behaviour.entries()) {
    const lines = await driver.take(step).catch((error: unknown) => [String(error)]);
    if (lines.length > 0) return { at, lines };
  }
  return undefined;
}

/** Whether a person is erased in it, or could be. */
const isErased = (behaviour: readonly Step[]): boolean =>
  behaviour.some(({ did: [name], shown }) => name === 'Tell' || (shown['named'] ?? []).length > 0);

type Did = readonly (string | number)[];

class Driver {
  readonly company: Company;
  readonly #places = new Map<number, Held>();
  /** Invocations that go on with the revert that has the gate, instead of a message to it. */
  readonly #goingOn = new Map<string, Held>();
  /** Calls that cancel an import; of a chunk whose plan one of them has put, the call that puts the summary. */
  readonly #cancelling: { readonly i: string; readonly by: Held }[] = [];
  readonly #ending = new Map<string, { readonly by: Held; readonly call: Call }>();
  /** Calls that have copied the payload of a chunk. */
  readonly #copying = new Map<string, Held>();
  /** The import that a call of an erasure is about: those that free an id look alike. */
  readonly #firstOf = new Map<Call, string>();
  /** Watchdogs that are about to free an id of an import. */
  readonly #freeing = new Map<string, Held>();
  /** The time of watchdogs that give imports up. */
  #lateMs = EPOCH_MS + DAY_MS;
  #step: Step | undefined;
  #before: Step | undefined;

  readonly #state = new SpokenState(NAMES);

  constructor(variant?: Variant) {
    this.company = new Company(variant);
    this.company.table.onWrite = (key, _, after) => this.#state.note({ key, after });
  }

  /** Takes an action. Returns what differs then. */
  async take(step: Step): Promise<string[]> {
    [this.#before, this.#step] = [this.#step, step];
    const [name, ...what] = step.did;
    const action = this.#actions[name];
    if (action === undefined) await this.#goOn(step);
    else await action(what);
    for (const [place, by] of this.#places) if (!step.running.has(place)) await this.#end(place, by);
    const missing = step.queue.filter((job) => !this.#isDeliverable(job, step)).map((job) => `no message of ${job}`);
    return [...differences(step.shown, shownIn(this.company.table, this.#state)), ...missing];
  }

  /** An invocation takes its next action. */
  async #goOn(step: Step): Promise<void> {
    const place = Number(step.did[1]);
    const by = this.#places.get(place);
    if (by === undefined) throw new Error(`No invocation is at place ${place}.`);
    const job = this.#jobAt(place);
    await by.go(ruleOf({ job, own: this.company.keyOf(job) }, this.#before, step));
    // It goes on itself with a revert that has the gate now, and sends a message to an erasure at its end.
    if (step.did[0] === 'SendWaiting') for (const next of step.queue) if (!isChunk(next)) this.company.sent.add(next);
  }

  #jobAt(place: number): string {
    return this.#before?.running.get(place) ?? this.#step?.running.get(place) ?? '';
  }

  /** In the specification it has ended. */
  async #end(place: number, by: Held): Promise<void> {
    const own = this.#jobAt(place);
    const nextIn = ({ name }: Call) => [revertReadBy(name)].find((revert) => revert !== own);
    this.#places.delete(place);
    await by.go({ before: (call) => nextIn(call) !== undefined });
    const [next] = by.pending.flatMap((call) => nextIn(call) ?? []);
    if (next !== undefined) this.#goingOn.set(next, by);
  }

  /** Not every message of a revert that is done is sent: it would do nothing. */
  #isDeliverable(job: string, { shown }: Step): boolean {
    const isDone = shown['reverts']?.includes(`${job} done `) === true;
    return isDone || this.company.sent.has(job) || this.#goingOn.has(job);
  }

  #later(): number {
    this.#lateMs += 2 * ABANDONING_GRACE_MS;
    return this.#lateMs;
  }

  readonly #actions: Readonly<Record<string, (what: Did) => Promise<void>>> = {
    Accept: async ([i]) => this.company.accept(String(i), this.#step?.records ?? {}),
    Request: async ([revert]) => this.company.requestRevert(String(revert)),
    ReadChunk: async ([place, chunk]) => {
      const by = await this.company.deliver(String(chunk));
      this.#places.set(Number(place), by);
      await by.go({ until: ({ key }) => key.sk.startsWith('plan#') });
    },
    ReadRevert: async ([place, revert]) => this.#readRevert(Number(place), String(revert)),
    Cancel: async ([i]) => {
      const by = await this.#cancel(String(i));
      await by.go({ until: (effect) => names('cancelled_at')(effect) && changes(effect) });
    },
    EndCancelled: async ([chunk, what]) =>
      what === 'plan' ? this.#rejectPlan(String(chunk)) : this.#rejectSummary(String(chunk)),
    CopyPayload: async ([chunk, named]) => {
      const i = importOf(String(chunk));
      const isCancelled = this.#before?.shown['cancelled']?.includes(i) === true;
      const by = isCancelled ? await this.#cancel(i) : await this.company.watchImport(i, this.#later());
      this.#copying.set(`${chunk} ${named}`, by);
      await by.go({ before: isPutOf(String(chunk)) });
    },
    EndCopied: async ([chunk, named, what]) => {
      const by = this.#copying.get(`${chunk} ${named}`);
      if (by !== undefined && what === 'put') await this.#put(String(chunk), by);
    },
    Tell: async () => this.company.tell(),
    ReadErased: async ([place, i]) => {
      const by = this.#places.get(Number(place));
      const others = by?.pending ?? [];
      const isOfImport = ({ name, writes }: Call) => !writes && name.includes(importIdOf(String(i)));
      while (by?.pending.some(isOfImport) === true) await by.go({ prefers: isOfImport, after: isOfImport });
      for (const call of by?.pending ?? []) if (!others.includes(call)) this.#firstOf.set(call, String(i));
    },
    FreeErased: async ([place, c]) => {
      const chunk = String(c);
      const isOf = (call: Call) => (this.#firstOf.get(call) ?? importOf(chunk)) === importOf(chunk);
      const prefers = (call: Call) => isWrite(`#record#${idOf(chunk)} `)(call) && isOf(call);
      await this.#places.get(Number(place))?.go({ ...RULES.FreeErased, prefers });
    },
    WatchChunk: async ([chunk]) => (await this.company.watchImport(importOf(String(chunk)))).go({}),
    WatchEnd: async ([i]) => (await this.company.watchImport(String(i))).go({}),
    WatchRevert: async ([revert]) => (await this.company.watch(String(revert))).go({}),
    WatchEarly: async ([revert]) => (await this.company.watch(String(revert))).go({}),
    AnnounceAbandoning: async ([i]) => {
      for (let resend = 0; resend < RESENDS; resend += 1) await (await this.company.watchImport(String(i))).go({});
      await (await this.company.watchImport(String(i), this.#later())).go({});
    },
    Abandon: async ([i]) => {
      const putsPlan = this.#before?.shown['plans']?.length !== this.#step?.shown['plans']?.length;
      const by = await this.company.watchImport(String(i), this.#later());
      await by.go(putsPlan ? RULES.PutPlan : RULES.Summarise);
    },
    MarkUnused: async ([i]) =>
      (await this.company.watchImport(String(i), this.#later())).go({ until: changed('#record#') }),
    // The wait is over for who comes later.
    WaitAgain: async () => {},
    ReadUnused: async (what) => {
      const by = await this.company.watchImport(String(what[0]), this.#later());
      this.#freeing.set(what.join(' '), by);
      await by.go({ before: isWrite('#record#') });
    },
    FreeUnused: async (what) => this.#freeing.get(what.join(' '))?.go(RULES.Keep),
    Kill: async ([place]) => {
      this.company.sent.add(this.#jobAt(Number(place)));
      this.#places.delete(Number(place));
    },
    Double: async ([job]) => void this.company.sent.add(String(job)),
    Lose: async ([job]) => {
      this.company.sent.delete(String(job));
      this.#goingOn.delete(String(job));
    },
    Save: async () => this.company.save(),
    Restore: async () => this.#restore(),
    Remap: async ([chunk]) => this.company.map(String(chunk), this.#step?.records[String(chunk)]?.pair ?? ''),
  };

  /** The stack is closed: nothing that ran goes on. Messages stay in the queue. */
  async #restore(): Promise<void> {
    for (const revert of this.#goingOn.keys()) this.company.sent.add(revert);
    for (const running of [this.#places, this.#goingOn, this.#ending, this.#copying, this.#freeing]) running.clear();
    this.#cancelling.length = 0;
    await this.company.restore(this.#step?.records ?? {});
  }

  async #readRevert(place: number, revert: string): Promise<void> {
    const { company } = this;
    const key = company.keyOf(revert);
    // The fence, or the turn of another one, is over.
    const until = company.table.read(key)?.['until'];
    if (typeof until === 'string') company.nowMs = Math.max(company.nowMs, Date.parse(until));
    const known = this.#goingOn.get(revert);
    this.#goingOn.delete(revert);
    // One that finds that it has to wait sends a message.
    const by = known?.ms === company.nowMs ? known : await company.deliver(revert);
    this.#places.set(place, by);
    await by.go({ until: (effect) => isSame(effect.key, key) });
  }

  async #cancel(i: string): Promise<Held> {
    const by = await this.company.cancel(i);
    this.#cancelling.push({ i, by });
    return by;
  }

  /** One call puts the plan that rejects the records of a chunk, and then the summary. */
  async #rejectPlan(chunk: string): Promise<void> {
    const i = importOf(chunk);
    const isPut = isPutOf(chunk);
    const known = this.#cancelling.find((each) => each.i === i && each.by.pending.some(isPut))?.by;
    const by = known ?? (await this.#cancel(i));
    await by.go({ before: isPut });
    await this.#put(chunk, by);
  }

  async #put(chunk: string, by: Held): Promise<void> {
    const isPut = isPutOf(chunk);
    const others = by.pending;
    await by.go({ prefers: isPut, after: isPut });
    const call = by.pending.find((each) => !others.includes(each));
    if (call !== undefined) this.#ending.set(chunk, { by, call });
  }

  async #rejectSummary(chunk: string): Promise<void> {
    const ending = this.#ending.get(chunk);
    if (ending === undefined) throw new Error(`No call has put the plan of ${chunk}.`);
    await ending.by.make(ending.call);
  }
}

/** Whether a call is about to put the plan of a chunk. */
function isPutOf(chunk: string): (call: Call) => boolean {
  const { pk, sk } = planKey(COMPANY, importIdOf(importOf(chunk)), Number(chunk.slice(1)));
  return isWrite(`${pk} ${sk}`);
}

/** The members that differ: as the specification has them, and as the table has them. */
function differences(specified: Shown, stored: Shown): string[] {
  return Object.entries(specified).flatMap(([member, lines]) => {
    const [wanted, found] = [lines.join('; '), stored[member]?.join('; ')];
    return wanted === found ? [] : [`${member}: specified ${wanted || 'none'}, stored ${found || 'none'}`];
  });
}

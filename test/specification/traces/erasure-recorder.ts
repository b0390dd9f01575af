/** Records what an invocation did for an erasure, in the actions of the specification. */
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Action, Seen } from './seen.ts';
import { ERASURE } from './spoken-state.ts';
import { StepRecorder, member, type Working } from './step-recorder.ts';

/** What an invocation has done in this step. */
interface Visit {
  page?: string[];
  readonly open: Set<string>;
  /** Where it has read the chunks of an import. The last read counts. */
  readonly reads: Map<string, Seen>;
  /** The chunks whose ids it frees, with the call that does: chunks with the same id cannot be distinguished. */
  readonly freed: Map<string, Seen | undefined>;
  /** Those whose ids are freed. */
  readonly settled: Set<string>;
  isLearnerRead?: true;
  /** Whether the gate is passed on or open to chunks, and whether waiting messages are sent. */
  gate?: 'written' | 'sent';
}

interface Erasing extends Working {
  visit: Visit;
}

const newVisit = (): Visit => ({ open: new Set(), reads: new Map(), freed: new Map(), settled: new Set() });
const LISTS: Readonly<Record<string, string>> = { halting: 'ListOpen', erasing: 'ListImports', again: 'ListAgain' };
/** The actions on the gate: first it is written, then messages are sent. */
const GATES: Readonly<Record<string, { readonly written: string; readonly sent: string }>> = {
  admitting: { written: 'AdmitChunks', sent: 'SendAdmitted' },
  opening: { written: 'PassErasureGate', sent: 'SendAfterErasure' },
};
const isVisiting = ({ phase }: { readonly phase: string }): boolean => phase in LISTS;

export class ErasureRecorder extends StepRecorder<Erasing> {
  protected begun = (working: Working): Erasing => ({ ...working, visit: newVisit() });
  protected placeIn = (item: Attributes | undefined): unknown => member(item, 'after');

  seeErasure(effect: Effect): void {
    const { kind, before, after, writes } = effect;
    if (kind !== 'process') {
      if (before === undefined && after !== undefined) this.add(effect, { a: 'Tell', r: ERASURE });
    } else if (!writes || after !== undefined) this.seeWork(effect, ERASURE);
    else if (before !== undefined) this.add(effect, { a: 'ForgetErasure', r: ERASURE });
  }

  protected seeOther(): void {}

  protected stepsTo({ after }: Effect, { phase, visit }: Erasing, next: string): readonly Action[] {
    if (phase === 'removing' && visit.isLearnerRead === undefined) return [...NOTHING_STORED, { a: 'LearnerDeleted' }];
    if (isVisiting({ phase }) && visit.page !== undefined)
      return [{ a: 'Erased', again: phase === 'erasing' && member(after, 'met_open') === true }];
    return (STEPS[`${phase} ${next}`] ?? [`${phase} ${next}`]).map((a) => ({ a, next }));
  }

  protected moved(working: Erasing): void {
    working.visit = newVisit();
  }

  see(effect: Effect): void {
    const { pk, sk } = effect.key;
    const working = this.working.get(effect.by);
    if (working === undefined) return;
    if (sk === 'gate') this.#seeGate(effect, working);
    else if (isVisiting(working)) this.#seeImport(effect, working);
    else if (working.phase !== 'removing' || !effect.writes) return;
    else if (pk.includes('#record#')) this.#seeIdentity(effect, working);
    else if (pk.includes('#learner#')) this.#seeLearner(effect, working);
  }

  #seeGate(effect: Effect, working: Erasing): void {
    const { writes, before, after } = effect;
    const { r, phase, visit } = working;
    if (phase === 'waiting') return this.seeTaking(effect, working);
    const gate = GATES[phase];
    if (gate === undefined) return;
    const holder = this.state.holderIn(after);
    if (visit.gate === undefined) {
      if (phase === 'opening' && (writes ? before === after : holder === r)) return;
      visit.gate = 'written';
      this.add(effect, { a: gate.written, r, holder, ok: writes });
    } else if (visit.gate === 'written' && !writes) {
      visit.gate = 'sent';
      this.add(effect, { a: gate.sent, r, holder });
    }
  }

  #seeImport(effect: Effect, working: Erasing): void {
    const { key, writes } = effect;
    const { pk, sk } = key;
    if (pk.includes('#record#')) {
      if (writes) this.#seeFreed(effect, working);
    } else if (sk === 'import') {
      if (!writes) this.#seeListed(effect, working);
    } else if (sk.startsWith('plan#')) {
      if (writes) this.#seeErased(effect, working, 'ErasePlan', this.state.chunkOf(key));
      else this.#seeRead(effect, working);
    } else if (sk.startsWith('payload#') && writes)
      this.#seeErased(effect, working, 'ErasePayload', this.state.payloadIn(effect.after).c);
  }

  #seeListed(effect: Effect, { visit, phase }: Erasing): void {
    const i = this.state.importOf(effect.key);
    if (visit.page === undefined) {
      visit.page = [];
      this.add(effect, { a: LISTS[phase] ?? '', page: visit.page });
    }
    if (!visit.page.includes(i)) visit.page.push(i);
    if (phase !== 'erasing' || member(effect.after, 'status') !== 'processing') visit.open.delete(i);
    else visit.open.add(i);
  }

  #seeRead(effect: Effect, { visit }: Erasing): void {
    const i = this.state.importOf(effect.key);
    const earlier = visit.reads.get(i);
    if (earlier !== undefined) earlier.a = '';
    visit.reads.set(i, this.add(effect, { a: 'ReadErased', i, open: visit.open.has(i) }));
    // An earlier call that was counted for one of its chunks was for another.
    const earlierCalls = [...visit.freed].filter(([c]) => c.startsWith(i));
    for (const [c] of earlierCalls) visit.freed.delete(c);
    for (const [, seen] of earlierCalls) if (seen !== undefined) this.#takeFor(seen, visit);
    for (const c of this.state.claimedOf(effect.key)) visit.freed.set(c, undefined);
  }

  /** Several chunks may have an id: the call counts for one that is not erased yet. */
  #seeFreed(effect: Effect, { visit }: Erasing): void {
    const id = this.state.idOf(effect.key);
    const seen = this.add(effect, { a: 'FreeErased', id, c: '', ok: effect.before !== effect.after });
    this.#takeFor(seen, visit);
  }

  #takeFor(seen: Seen, { freed }: Visit): void {
    const [c = ''] = [...freed].find(([each, other]) => other === undefined && isOf(each, seen['id'])) ?? [];
    Object.assign(seen, { c });
    if (c !== '') freed.set(c, seen);
  }

  #seeErased(effect: Effect, { visit }: Erasing, a: string, c: string): void {
    if (visit.freed.has(c) && !visit.settled.has(c)) this.#settle(visit, c);
    this.add(effect, { a, c });
  }

  /** The id is free by now: a call that was counted for another chunk was its own. */
  #settle({ freed, settled }: Visit, c: string): void {
    settled.add(c);
    if (freed.get(c) !== undefined) return;
    const other = [...freed].find(([each, seen]) => seen !== undefined && !settled.has(each) && isSameId(each, c));
    if (other === undefined) return;
    const [each, seen] = other;
    if (seen !== undefined) Object.assign(seen, { c });
    freed.set(c, seen).set(each, undefined);
  }

  #seeIdentity(effect: Effect, { visit }: Erasing): void {
    this.#readLearner(effect, visit);
    this.add(effect, { a: 'FreeLearner', id: this.state.idOf(effect.key), ok: effect.before !== effect.after });
  }

  #seeLearner(effect: Effect, { visit }: Erasing): void {
    this.#readLearner(effect, visit);
    this.add(effect, { a: 'DeleteLearner', ok: effect.before !== effect.after });
  }

  #readLearner(effect: Effect, visit: Visit): void {
    if (visit.isLearnerRead === undefined) this.add(effect, { a: 'ReadLearner' });
    visit.isLearnerRead = true;
  }
}

/** `A0` and `r-0`. */
const isOf = (c: string, id: unknown): boolean => `r-${c.slice(1)}` === id;
const isSameId = (one: string, other: string): boolean => one.slice(1) === other.slice(1);

const NOTHING_STORED: readonly Action[] = [{ a: 'ReadLearner' }, { a: 'DeleteLearner', ok: true }];

/** The actions of each phase change. The names of the person, the documents of runs, and the sessions are not specified. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'waiting closing': ['StoreErasureFence'],
  'closing halting': ['AfterErasureFence'],
  'halting halting': [],
  'halting removing': ['HaltEnds'],
  'removing ending': ['LearnerDeleted'],
  'ending admitting': [],
  'admitting naming': ['Admitted'],
  'naming naming': [],
  'naming erasing': [],
  'erasing leaving': ['EraseEnds'],
  'erasing documents': ['EraseEnds'],
  'leaving again': ['AfterSecondFence'],
  'again again': [],
  'again documents': ['AgainEnds'],
  'documents documents': [],
  'documents opening': [],
};

/** Records what an invocation did for a revert, in the actions of the specification. */
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import type { Action } from './seen.ts';
import { StepRecorder, member, type Working } from './step-recorder.ts';

interface Reverting extends Working {
  /** What it has read in this step: notes, or the gate. */
  current: string;
  /** The imports whose reports it has read in this step. */
  readonly reports: Set<string>;
  /** What the records of another import now rely on; the invocation has read its plans. */
  relying?: { readonly i: string; readonly others: string[] };
}

export class RevertRecorder extends StepRecorder<Reverting> {
  readonly #carriedOn = new Map<number, number>();

  /** An invocation whose revert has passed the gate, and waits, carries on with the next: in the specification, another one does. */
  byWork(effect: Effect): Effect {
    const by = this.#carriedOn.get(effect.by) ?? effect.by;
    const working = this.working.get(by);
    const isNext = effect.key.sk === 'revert' && !effect.writes && working?.phase === 'opened';
    const carriedOn = isNext && working.pk !== effect.key.pk ? by + 0.5 : by;
    if (carriedOn !== by) this.#carriedOn.set(effect.by, carriedOn);
    return { ...effect, by: carriedOn };
  }

  protected begun = (working: Working): Reverting => ({
    ...working,
    phase: working.phase === 'again' ? 'waiting' : working.phase,
    current: '',
    reports: new Set(),
  });
  protected placeIn = (item: Attributes | undefined): unknown => member(item, 'after');

  seeRevert(effect: Effect): void {
    const { kind, writes, before, after } = effect;
    const r = this.state.revertOf(effect.key);
    if (kind === 'process') return this.seeWork(effect, r);
    if (!writes || before === after) return;
    if (kind === 'watchdog')
      this.add(effect, { a: 'WatchRevert', r, counts: member(before, 'version') !== member(after, 'version') });
    // A repeated request only moves what the revert of a run covers.
    else if (member(after, 'phase') === 'waiting' && member(before, 'phase') !== 'waiting')
      this.add(effect, { a: 'Request', r });
  }

  protected seeOther(effect: Effect, working: Working, r: string): void {
    const ok = effect.before !== effect.after;
    // The client library repeats the last step. That an import of a run gets its own revert is part of its mark.
    const a = r === working.r && !ok ? 'Outdated' : 'BeginNext';
    if (effect.command.constructor.name === 'UpdateCommand') this.add(effect, { a, r, ok });
  }

  protected stepsTo({ key }: Effect, { phase, current }: Reverting, next: string): readonly Action[] {
    const step = `${phase} ${next}`;
    // Another round is another revert.
    if (step === 'opened again') return [{ a: 'Done' }, { a: 'Request', r: this.state.revertOf(key), again: true }];
    const steps = STEPS[step] ?? [step];
    return (step === 'giving giving' && current === '' ? ['ReadNotes', ...steps] : steps).map((a) => ({ a }));
  }

  protected moved(working: Reverting): void {
    working.current = '';
    working.reports.clear();
    if (working.phase === 'again') working.phase = 'done';
  }

  see(effect: Effect): void {
    const { pk, sk } = effect.key;
    const working = this.working.get(effect.by);
    if (working === undefined) return;
    if (sk === 'gate') this.#seeGate(effect, working);
    else if (sk === 'revert-report') this.#seeReport(effect, working);
    else if (sk === 'import') this.#seeMark(effect);
    else if (!effect.writes) return;
    else if (sk.startsWith('relied#')) this.#seeNote(effect, working);
    else if (pk.includes('#learner#')) this.#seeLearner(effect, working);
    else if (pk.includes('#record#')) this.#seeIdentity(effect, working);
  }

  #seeGate(effect: Effect, working: Reverting): void {
    const { writes, before, after } = effect;
    const holder = this.state.holderIn(after);
    const { r, phase } = working;
    if (phase === 'waiting') {
      this.seeTaking(effect, working);
    } else if (phase === 'opening') {
      // The gate also notes which imports replace.
      const isPassed = member(before, 'epoch') !== member(after, 'epoch');
      if (writes ? isPassed : holder !== r) this.add(effect, { a: 'PassGate', r, holder, ok: writes });
    } else if (phase === 'opened' && working.current === '') {
      working.current = 'gate';
      this.add(effect, { a: 'SendWaiting', r, holder });
    }
  }

  #seeReport(effect: Effect, working: Reverting): void {
    const { key, writes, before, after } = effect;
    if (working.phase !== 'removing') return;
    const i = this.state.importOf(key);
    const { r, reports } = working;
    if (writes) {
      this.add(effect, { a: 'DecideReport', r, i });
      this.add(effect, { a: 'PutReport', r, i, ok: before !== after });
    } else if (!reports.has(i)) {
      if (reports.size === 0) this.add(effect, { a: 'ReadItems', r });
      reports.add(i);
      this.add(effect, { a: 'ReadReport', r, i });
    }
  }

  #seeMark(effect: Effect): void {
    const { key, before, after, writes } = effect;
    if (writes && before?.['reverted_at'] !== after?.['reverted_at'])
      this.add(effect, { a: 'MarkReverted', i: this.state.importOf(key) });
  }

  #seeNote(effect: Effect, working: Reverting): void {
    const { key, after, before } = effect;
    const { i, c } = this.state.noteIn(key);
    this.#relyingOf(effect, working, c).others.push(...(after === undefined ? [] : [`${i} ${c}`]));
    if (after !== undefined) this.add(effect, { a: 'NoteNext', i, c });
    else if (before !== undefined) this.add(effect, { a: 'ForgetNote', c });
  }

  #relyingOf(effect: Effect, working: Reverting, c: string): { readonly others: string[] } {
    const i = c.slice(0, 1);
    if (working.current === '') {
      working.current = 'notes';
      delete working.relying;
      this.add(effect, { a: 'ReadNotes', r: working.r });
    }
    if (working.relying?.i === i) return working.relying;
    const others: string[] = [];
    working.relying = { i, others };
    this.add(effect, { a: 'ReadRelying', i, others });
    return working.relying;
  }

  #seeLearner(effect: Effect, working: Reverting): void {
    const { before, after } = effect;
    const [was, is] = [this.state.chunksIn(before), this.state.chunksIn(after)];
    if (working.phase === 'giving') {
      const given = is.filter((c) => !was.includes(c));
      if (given.length === 0) return;
      this.#relyingOf(effect, working, given[0] ?? '');
      this.add(effect, { a: 'GiveOwn', cs: given });
    } else if (working.phase === 'removing') {
      const cs = was.filter((c) => !is.includes(c));
      if (cs.length > 0) this.add(effect, { a: 'Remove', cs });
    }
  }

  #seeIdentity(effect: Effect, working: Reverting): void {
    const { key, before, after } = effect;
    if (working.phase !== 'removing') return;
    const id = this.state.idOf(key);
    this.add(effect, { a: 'Free', id, ok: before !== after });
  }
}

/** The actions of each phase change, with the reads of the table that are not recorded. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'waiting closing': ['ReadImports', 'StoreFirstFence'],
  'waiting again': [],
  'waiting opening': ['ReadImports'],
  'closing giving': ['AfterFirstFence'],
  'giving giving': ['Given'],
  'giving removing': ['ReadNotes'],
  'removing removing': ['Removed'],
  'removing opening': ['ReadItems'],
  'opening opening': [],
  'opening opened': ['Opened'],
  'opened opened': [],
  'opened done': ['Done'],
};

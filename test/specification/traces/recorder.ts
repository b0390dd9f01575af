/** Records what each invocation did to the table, in the actions of the specification. */
import { unpackJson } from '../../../functions/dynamodb/encoding.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import type { ImportItem, Plan } from '../../../functions/shared/model.ts';
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import { replacingName } from '../../../functions/jobs/gate.ts';
import type { Effect } from '../../simulation/services.ts';
import { TRACE_PLACES } from '../configuration.ts';
import { Copies } from './copies.ts';
import { ErasureRecorder } from './erasure-recorder.ts';
import { DryRuns } from './dry-runs.ts';
import { PlanRecorder } from './plan-recorder.ts';
import { RevertRecorder } from './revert-recorder.ts';
import type { Add, Event, Seen } from './seen.ts';
import { SpokenState } from './spoken-state.ts';
import { SurroundingsRecorder } from './surroundings-recorder.ts';

interface ImportChange {
  readonly effect: Effect;
  readonly i: string;
  readonly was: ReturnType<typeof unpackImport>;
  readonly is: ReturnType<typeof unpackImport>;
}

function namesIn(command: object): string[] {
  const { input } = command as { input: { ExpressionAttributeNames?: Record<string, string> } };
  return Object.values(input.ExpressionAttributeNames ?? {});
}

export class Recorder {
  readonly #seen: Seen[] = [];
  readonly #state: SpokenState;
  readonly #reverts: RevertRecorder;
  readonly #erasures: ErasureRecorder;
  readonly #plans: PlanRecorder;
  readonly #dryRuns: DryRuns;
  readonly #isPlanned: boolean;
  readonly #copies: Copies;
  readonly #surroundings: SurroundingsRecorder;
  readonly seeEvent: SurroundingsRecorder['seeEvent'];
  readonly #jobs = new Map<number, string>();
  readonly #planned = new Set<number>();
  readonly #decided = new Map<number, Seen>();
  /** How many overflow items the first item named when an invocation read it. */
  readonly #overflow = new Map<number, unknown>();

  /** @param names the imports of the history by their ids */
  constructor(names: ReadonlyMap<string, string>) {
    this.#state = new SpokenState(names);
    // The id of an import that a plan makes begins with a letter.
    this.#isPlanned = [...names.keys()].some((id) => /^[a-z]/.test(id));
    this.#reverts = new RevertRecorder(this.#state, this.#add);
    this.#erasures = new ErasureRecorder(this.#state, this.#add);
    this.#plans = new PlanRecorder(this.#state, this.#add);
    this.#dryRuns = new DryRuns(this.#state, this.#add);
    this.#copies = new Copies(this.#state, this.#add);
    this.#surroundings = new SurroundingsRecorder(this.#state, this.#add);
    this.seeEvent = this.#surroundings.seeEvent;
  }

  readonly see = (seen: Effect): void => {
    const effect = this.#plans.byCancel(this.#reverts.byWork(seen));
    this.#state.note(effect);
    if (this.#isPlanned) this.#dryRuns.see(effect);
    if (this.#surroundings.see(effect)) return;
    this.#seeItem(effect);
    this.#copies.see(effect);
  };

  #seeItem(effect: Effect): void {
    const { sk } = effect.key;
    if (sk === 'gate' && this.#seeReplacing(effect)) return;
    if (sk === 'plan') this.#plans.seePlan(effect);
    else if (sk === 'revert') this.#reverts.seeRevert(effect);
    else if (sk === 'erasure') this.#erasures.seeErasure(effect);
    else if (this.#reverts.has(effect.by)) this.#reverts.see(effect);
    else if (this.#erasures.has(effect.by)) this.#erasures.see(effect);
    else if (this.#plans.has(effect.by) && effect.kind === 'process') this.#plans.see(effect);
    else this.#seeOfImport(effect);
  }

  #seeOfImport(effect: Effect): void {
    const { pk, sk } = effect.key;
    if (sk === 'import') this.#seeImport(effect);
    else if (sk.startsWith('plan#')) this.#seePlan(effect);
    else if (this.#jobs.has(effect.by)) this.#seeOfChunk(effect);
    else if (pk.includes('#record#') && effect.kind === 'watchdog' && effect.writes) this.#seeFreeing(effect);
  }

  #seeOfChunk(effect: Effect): void {
    const { pk, sk } = effect.key;
    if (pk.includes('#record#')) this.#seeClaim(effect);
    else if (pk.includes('#learner#')) this.#seeLearner(effect);
    else if (sk.startsWith('relied#')) this.#seeNote(effect);
  }

  #seePlan(effect: Effect): void {
    if (effect.writes) this.#seePut(effect);
    else this.#seeRead(effect);
  }

  readonly #add: Add = ({ by }, seen) => {
    const added: Seen = { ...seen, by };
    this.#seen.push(added);
    return added;
  };

  #seeNote(effect: Effect): void {
    this.#add(effect, { a: 'Note', on: this.#state.noteIn(effect.key).i });
  }

  #seeReplacing(effect: Effect): boolean {
    const { before, after, command } = effect;
    const name = namesIn(command).find((each) => each.startsWith(replacingName('')));
    if (name === undefined) return false;
    const [i] = this.#state.importsIn([name.slice(replacingName('').length)]);
    const a = after?.[name] === undefined ? 'ForgetReplacing' : 'NoteReplacing';
    if (i !== undefined && before?.[name] !== after?.[name]) this.#add(effect, { a, i });
    return true;
  }

  #seeImport(effect: Effect): void {
    const { key, before, after } = effect;
    const i = this.#state.importOf(key);
    if (after === undefined) return;
    if (before === undefined || (effect.kind === 'accept' && before !== after))
      return void this.#add(effect, { a: 'Accept', i, ...acceptedIn(unpackImport(after)) });
    const change = { effect, i, was: unpackImport(before), is: unpackImport(after) };
    // The end takes back a cancel for which no record was left; nothing depends on it then.
    if (change.was.cancelled_at === null && change.is.cancelled_at !== null)
      this.#add(effect, { a: this.#plans.has(effect.by) ? 'CancelOpen' : 'Cancel', i });
    if (change.was.closing_at !== change.is.closing_at)
      this.#add(effect, { a: 'AnnounceAbandoning', i, hours: hoursOpen(change.is) });
    this.#seeSummary(change);
    if (namesIn(effect.command).includes('completed_at')) this.#seeEnd(change);
  }

  #seeSummary({ effect, i, is }: ImportChange): void {
    const { kind, command } = effect;
    const chunk = namesIn(command)
      .find((name) => name.startsWith('summary#'))
      ?.slice('summary#'.length);
    if (chunk === undefined) return;
    const ok = effect.before !== effect.after;
    const result = this.#state.resultOf(`${i}${chunk}`, is.summaries[Number(chunk)]);
    const seen = { i, c: `${i}${chunk}`, ok, result };
    if (kind === 'process') this.#add(effect, { a: 'Summarise', ...seen });
    else if (ok) this.#add(effect, { a: kind === 'cancel' ? 'EndCancelled' : 'Abandon', ...seen });
  }

  #seeEnd({ effect, i }: ImportChange): void {
    const ok = effect.before !== effect.after;
    if (effect.kind === 'process') this.#add(effect, { a: 'Settle', i, ok });
    else if (ok) this.#add(effect, { a: 'WatchEnd', i });
  }

  #seeRead(effect: Effect): void {
    const { key, before, kind, by } = effect;
    if (kind !== 'process' || this.#jobs.has(by)) return;
    const c = this.#state.chunkOf(key);
    this.#jobs.set(by, c);
    if (before !== undefined) this.#planned.add(by);
    this.#add(effect, { a: 'ReadChunk', c });
  }

  #seePut(effect: Effect): void {
    const { key, before, after, kind, by, command } = effect;
    const c = this.#state.chunkOf(key);
    const ok = before !== after;
    if (kind !== 'process') return;
    this.#planned.add(by);
    const { Item: own } = (command as { input: { Item?: Attributes } }).input;
    // If the user is not found, nothing is read.
    if (own !== undefined && !this.#decided.has(by) && !isCancelled(own)) this.#seeDecision(by);
    this.#add(effect, { a: 'PutPlan', c, ok, out: this.#state.planIn(after).out, at: dateIn(after) });
    // Its decision is known from now on.
    Object.assign(this.#decided.get(by) ?? {}, own && this.#state.planIn(own));
  }

  #seeClaim(effect: Effect): void {
    const { key, before, after, writes, command } = effect;
    const id = this.#state.idOf(key);
    if (command.constructor.name === 'UpdateCommand')
      return void this.#add(effect, { a: 'Keep', id, ok: before !== undefined && before !== after });
    const ok = writes && before === undefined && after !== undefined;
    // A failed claim is seen where it reads the holder.
    if (ok || (!writes && before !== undefined))
      this.#add(effect, { a: 'Claim', id, ok, pair: this.#state.pairIn(after) });
  }

  #seeFreeing(effect: Effect): void {
    const { key, before, after } = effect;
    const id = this.#state.idOf(key);
    if (before !== undefined && after === undefined) {
      this.#add(effect, { a: 'ReadUnused', id });
      this.#add(effect, { a: 'FreeUnused', id });
    } else if (before !== after) this.#add(effect, { a: 'MarkUnused', id });
  }

  #seeLearner(effect: Effect): void {
    const { before, after, writes, by } = effect;
    const c = this.#jobs.get(by) ?? '';
    const isNew = before !== after && !this.#state.chunksIn(before).includes(c);
    if (this.#planned.has(by)) {
      // A repeat finds what it would write.
      const place = this.#state.placeIn(after, c);
      if (place !== undefined && (isNew || !writes)) this.#add(effect, { a: 'Write', c, ...place });
    } else if (!writes && this.#isWhole(effect)) this.#seeDecision(by);
  }

  /** Of an overflow item that was added since the first item was read nothing is known: that read counts. */
  #isWhole({ key, by }: Effect): boolean {
    const now = this.#state.overflowOf(key);
    if (!/^course#\d+#/.test(key.sk)) this.#overflow.set(by, now);
    return this.#overflow.get(by) === now;
  }

  /** The last read counts. */
  #seeDecision(by: number): void {
    const decided: Seen = { a: 'Decide', by, out: 'any', pair: 'none', on: 'none' };
    const earlier = this.#decided.get(by);
    if (earlier !== undefined) this.#seen.splice(this.#seen.indexOf(earlier), 1);
    this.#decided.set(by, decided);
    this.#seen.push(decided);
  }

  /** With places for invocations: a place is free once its invocation ends. The last event is what is stored. */
  events(): Event[] {
    this.#copies.end();
    const all = this.#seen.filter(({ a }) => a !== '');
    const last = new Map(all.map(({ by }, at) => [by, at]));
    const places = new Map<number, string>();
    const hasPlace = (by: number) =>
      this.#jobs.has(by) || this.#reverts.has(by) || this.#erasures.has(by) || this.#plans.has(by);
    const events = all.map(({ by, ...seen }, at): Event => {
      const gone = [...places].filter(([each]) => (last.get(each) ?? 0) < at);
      for (const [each] of gone) places.delete(each);
      if (hasPlace(by) && !places.has(by)) places.set(by, freePlace(new Set(places.values())));
      const w = places.get(by);
      return { ...seen, ...(w !== undefined && { w }), gone: gone.map(([, place]) => place) };
    });
    return [...events, { a: 'End', ...this.#state.stored(), gone: [] }];
  }
}

/** Requests with the same key differ in the run that they name. */
export const sentAs = (run_id: string | null | undefined): string => run_id ?? 'no run';
const acceptedIn = ({ run_id, created_at }: ImportItem) => ({ sent: sentAs(run_id), at: created_at });

function hoursOpen({ created_at, closing_at = created_at }: ImportItem): number {
  return Math.floor((Date.parse(closing_at) - Date.parse(created_at)) / 3_600_000);
}

/** The import's date, from the contribution of a record. */
function dateIn(plan: Attributes | undefined): string {
  const [planned] = plan === undefined ? [] : (unpackJson(plan['plan']) as Plan).planned;
  return planned?.write?.contribution.imported_at ?? 'none';
}

function isCancelled(plan: Attributes): boolean {
  const [planned] = (unpackJson(plan['plan']) as Plan).planned;
  return planned?.result.errors[0]?.error_code === 'import_cancelled';
}

function freePlace(taken: ReadonlySet<string>): string {
  const free = TRACE_PLACES.find((place) => !taken.has(place));
  if (free === undefined) throw new Error('More invocations run at once than a trace has places for.');
  return free;
}

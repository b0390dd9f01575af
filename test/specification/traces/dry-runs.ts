/** The dry runs of a history's plan: what each of their records would do, as of the last read for it. */
import type { Effect } from '../../simulation/services.ts';
import type { Add, Seen } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';
import { dryRunIn } from './surroundings-recorder.ts';

/** An accepting call: its last read for each chunk, and the outcomes that it has reported. */
interface Planning {
  readonly read: Map<string, Seen>;
  readonly out: Map<string, string>;
}

export class DryRuns {
  readonly #state: SpokenState;
  readonly #add: Add;
  readonly #planning = new Map<number, Planning>();
  readonly #accepted = new Set<string>();

  constructor(state: SpokenState, add: Add) {
    this.#state = state;
    this.#add = add;
  }

  see(effect: Effect): void {
    const { kind, writes, by } = effect;
    if (kind !== 'accept') return;
    const planning = this.#planning.get(by) ?? { read: new Map(), out: new Map() };
    this.#planning.set(by, planning);
    if (writes) this.#seeWrite(effect, planning);
    else this.#seeRead(effect, planning);
  }

  #seeWrite({ key, before, after }: Effect, planning: Planning): void {
    const i = dryRunIn(key) ?? '';
    if (i === '' || after === undefined) return;
    const [what, , chunk] = key.sk.split('#');
    if (what === 'report') planning.out.set(`${Number(chunk)}`, this.#state.planIn(after).out);
    if (what === 'import' && before === undefined && !this.#accepted.has(i)) this.#accept(i, planning);
  }

  /** The first record is of the first learner, the second of the other. Nobody else has its id, so who holds that decides nothing. */
  #seeRead(effect: Effect, { read }: Planning): void {
    const [, learner] = /#learner#(\d)$/.exec(effect.key.pk) ?? [];
    if (learner !== undefined) read.set(String(Number(learner) - 1), this.#add(effect, { a: '' }));
  }

  #accept(i: string, { read, out }: Planning): void {
    this.#accepted.add(i);
    for (const [chunk, seen] of read)
      Object.assign(seen, { a: 'DryRun', c: `${i}${chunk}`, out: out.get(chunk) ?? '' });
  }
}

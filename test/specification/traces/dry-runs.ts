/** The dry run of a history's plan: what each of its records would do, as of the last read for it. */
import type { Effect } from '../../simulation/services.ts';
import { OF_PLAN } from './plan-recorder.ts';
import type { Add, Seen } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';
import { DRY_RUN_ID } from './surroundings-recorder.ts';

/** An accepting call: its last read for each chunk, and the outcomes that it has reported. */
interface Planning {
  readonly read: Map<string, Seen>;
  readonly out: Map<string, string>;
}

export class DryRuns {
  readonly #state: SpokenState;
  readonly #add: Add;
  readonly #planning = new Map<number, Planning>();
  #isAccepted = false;

  constructor(state: SpokenState, add: Add) {
    this.#state = state;
    this.#add = add;
  }

  see(effect: Effect): void {
    const { kind, key, writes, by, before, after } = effect;
    if (kind !== 'accept') return;
    const planning = this.#planning.get(by) ?? { read: new Map(), out: new Map() };
    this.#planning.set(by, planning);
    if (!writes) return this.#seeRead(effect, planning);
    if (!key.pk.includes(DRY_RUN_ID) || after === undefined) return;
    const [what, , chunk] = key.sk.split('#');
    if (what === 'report') planning.out.set(`${OF_PLAN}${Number(chunk)}`, this.#state.planIn(after).out);
    if (what === 'import' && before === undefined && !this.#isAccepted) this.#accept(planning);
  }

  #seeRead(effect: Effect, { read }: Planning): void {
    const { pk } = effect.key;
    const [, chunk] = /#record#r-(\d)/.exec(pk) ?? [];
    const chunks = chunk === undefined ? ['0', '1'] : [chunk];
    if (!pk.includes('#learner#') && chunk === undefined) return;
    for (const each of chunks) read.set(`${OF_PLAN}${each}`, this.#add(effect, { a: '', c: `${OF_PLAN}${each}` }));
  }

  #accept({ read, out }: Planning): void {
    this.#isAccepted = true;
    for (const [c, seen] of read) Object.assign(seen, { a: 'DryRun', out: out.get(c) ?? '' });
  }
}

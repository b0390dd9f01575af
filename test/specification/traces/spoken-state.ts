/** The table in the terms of the specification: imports by name, chunks as `A0`, pairs as `p` and `q`. */
import { OVERFLOW } from '../../../functions/imports/fold-history.ts';
import { unpackJson } from '../../../functions/dynamodb/encoding.ts';
import { factKey, gateKey, importKey, placeOf, planKey } from '../../../functions/dynamodb/table.ts';
import { unpackContribution } from '../../../functions/imports/contribution-item.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import { unpackGate } from '../../../functions/jobs/gate.ts';
import { isPartOf } from '../../../functions/reverts/together.ts';
import type { StagedChunk } from '../../../functions/records/staged.ts';
import type { ChunkSummary, Plan, RecordResult } from '../../../functions/shared/model.ts';
import { ANN, ANN_ID } from '../../erasure/person.ts';
import type { Attributes, Key } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import { COMPANY } from '../../simulation/world.ts';

export const EMAILS = { p: 'ann@acme.test', q: 'bob@acme.test' } as const;
/** The email of `p` where that person is erased: the one of the simulator's erasures. */
export const ERASED_EMAIL = ANN;
const PAIR_OF_USER: Readonly<Record<number, string>> = { 1: 'p', [ANN_ID]: 'p', 2: 'q' };
/** The only erasure that a history has. */
export const ERASURE = 'erasure';
const CHUNKS = [0, 1];

const textOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Computes once a value that depends on an item alone: a write replaces the item. */
export function perItem<T>(compute: (item: Attributes) => T): (item: Attributes) => T {
  const known = new WeakMap<Attributes, { readonly value: T }>();
  return (item) => {
    const found = known.get(item) ?? { value: compute(item) };
    known.set(item, found);
    return found.value;
  };
}

const unpackPlan = perItem((item) => unpackJson(item['plan']) as Plan);
const unpackPayload = perItem((item) => unpackJson(item['payload']) as StagedChunk);

export class SpokenState {
  readonly #table = new Map<string, Attributes>();
  /** By key: the outcomes of plans as first put, which an erasure changes. */
  readonly #outcomes = new Map<string, string>();
  readonly #names: ReadonlyMap<string, string>;
  /** The imports of each round of a run's revert, from its request on. */
  readonly #rounds = new Map<string, string>();

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  note({ key, after }: Pick<Effect, 'key' | 'after'>): void {
    if (after === undefined) {
      this.#table.delete(textOf(key));
      this.#outcomes.delete(textOf(key));
    } else this.#table.set(textOf(key), after);
    if (after !== undefined && key.sk.startsWith('plan#') && !this.#outcomes.has(textOf(key)))
      this.#outcomes.set(textOf(key), this.planIn(after).out);
  }

  /** Named by the first item of the course. */
  overflowOf({ pk, sk }: Key): unknown {
    return this.#table.get(textOf({ pk, sk: /^course#\d+/.exec(sk)?.[0] ?? sk }))?.[OVERFLOW];
  }

  /** Empty if the history has no such import. */
  importOf({ pk }: Key): string {
    return this.#names.get(pk.split('#')[2] ?? '') ?? '';
  }

  /** By the key of a plan. */
  chunkOf(key: Key): string {
    return `${this.importOf(key)}${Number(key.sk.slice('plan#'.length))}`;
  }

  /** The import of a note, and the chunk that relies on it. */
  noteIn(key: Key): { readonly i: string; readonly c: string } {
    const [, import_id = '', chunk] = key.sk.split('#');
    return { i: this.importOf(key), c: `${this.#names.get(import_id) ?? ''}${Number(chunk)}` };
  }

  /** The revert of an import, or of a run with the imports that it reverts. */
  revertOf(key: Key): string {
    const [, kind] = key.pk.split('#');
    if (kind === ERASURE) return ERASURE;
    if (kind === 'import') return `revert ${this.importOf(key)}`;
    const { accepted_by, ended_by } = this.#table.get(textOf(key)) ?? {};
    const round = { accepted_by: String(accepted_by), ended_by: String(ended_by) };
    const name = `${textOf(key)} ${JSON.stringify(round)}`;
    this.#rounds.set(name, this.#rounds.get(name) ?? this.#importsOf(round));
    return `run ${this.#rounds.get(name)}`;
  }

  #importsOf(round: { readonly accepted_by: string; readonly ended_by: string }): string {
    const imports = [...this.#names.keys()].flatMap((id) => {
      const item = this.#table.get(textOf(importKey({ company_id: COMPANY, import_id: id })));
      const listed = item && unpackImport(item);
      return listed && isPartOf({ company_id: COMPANY, run_id: 'run', ...round }, listed) ? [listed] : [];
    });
    const ordered = imports.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    return ordered.map(({ import_id }) => this.#names.get(import_id)).join('');
  }

  /** The imports of the history among these ids. */
  importsIn(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.#names.get(id) ?? []);
  }

  hasPlan(c: string): boolean {
    return this.#planOf(c) !== undefined;
  }

  #planOf(c: string): Attributes | undefined {
    const [import_id = ''] = [...this.#names].find(([, name]) => name === c.slice(0, 1)) ?? [];
    return this.#table.get(textOf(planKey({ company_id: COMPANY, import_id }, Number(c.slice(1)))));
  }

  /** By the key of a plan: the chunks of its import whose record is the person's and has claimed its id. */
  claimedOf(key: Key): string[] {
    return CHUNKS.map((chunk) => `${this.importOf(key)}${chunk}`).filter((c) => {
      const { out, pair } = this.planIn(this.#planOf(c));
      return out !== 'rejected' && out !== 'erased' && pair === 'p';
    });
  }

  /** The chunk of a payload, and whether it names the person. The chunk is empty if there is none. */
  payloadIn(item: Attributes | undefined): { readonly c: string; readonly named: boolean } {
    if (item === undefined) return { c: '', named: false };
    const { first_index } = unpackPayload(item);
    const i = this.importOf({ pk: String(item['pk']), sk: '' });
    return { c: i === '' ? '' : `${i}${first_index}`, named: this.isNamedIn(item, 'payload') };
  }

  isNamedIn(item: Attributes | undefined, kind: 'payload' | 'plan'): boolean {
    if (item === undefined) return false;
    const { records } = kind === 'plan' ? unpackPlan(item) : unpackPayload(item);
    const [record] = records as readonly ({ readonly user: { readonly email: string } } | null)[];
    return record?.user.email === EMAILS.p || record?.user.email === ERASED_EMAIL;
  }

  holderIn(gate: Attributes | undefined): string {
    const by = gate?.['by'];
    return typeof by === 'string' ? this.#holder(by) : 'none';
  }

  #holder(name: string): string {
    const [kind, id = ''] = name.split('#');
    return this.revertOf({ pk: `${COMPANY}#${kind}#${id}`, sk: 'revert' });
  }

  idOf({ pk }: Key): string {
    return pk.split('#record#')[1] ?? '';
  }

  pairIn(identity: Attributes | undefined): string {
    return PAIR_OF_USER[Number(identity?.['user_id'])] ?? 'none';
  }

  planIn(item: Attributes | undefined): { readonly out: string; readonly pair: string; readonly on: string } {
    const [planned] = item === undefined ? [] : unpackPlan(item).planned;
    const { result, write, relies_on = '' } = planned ?? {};
    const pair = PAIR_OF_USER[write?.user_id ?? 0] ?? 'none';
    return { out: this.#outcomeIn(item, result), pair, on: this.#names.get(relies_on) ?? 'none' };
  }

  /** A plan that rejected its record still does. */
  #outcomeIn(item: Attributes | undefined, result: RecordResult | undefined): string {
    if (result?.erased !== true) return result?.outcome ?? 'rejected';
    const put = this.#outcomes.get(textOf(item as Attributes & Key)) ?? 'rejected';
    return put === 'rejected' ? put : 'erased';
  }

  chunksIn(learnerCourse: Attributes | undefined): string[] {
    return Object.keys(learnerCourse ?? {}).flatMap((name) => {
      const [kind, import_id = '', index] = name.split('#');
      const i = this.#names.get(import_id);
      return kind === 'm' && i !== undefined ? [`${i}${index}`] : [];
    });
  }

  /** What decides the place of a chunk's contribution; `undefined` if the item has none. */
  placeIn(
    learnerCourse: Attributes | undefined,
    c: string,
  ): { readonly at: string; readonly replaces: boolean } | undefined {
    const name = Object.keys(learnerCourse ?? {}).find((each) => this.chunksIn({ [each]: '' }).includes(c));
    if (name === undefined) return undefined;
    const { imported_at: at, replaces = false } = unpackContribution(name, learnerCourse?.[name]);
    return { at, replaces };
  }

  resultOf(c: string, summary: ChunkSummary | undefined): string {
    if (summary === undefined) return 'none';
    if (summary.conflict.length > 0) return 'lost';
    if (summary.failed_indexes.length > 0) return 'failed';
    const { out } = this.planIn(this.#planOf(c));
    return summary.failed > 0 || out === 'erased' ? out : 'ok';
  }

  /** Everything that the specification has too. */
  stored() {
    const imports = [...this.#names].map(([import_id, i]) => {
      const item = this.#table.get(textOf(importKey({ company_id: COMPANY, import_id })));
      return { i, item: item && unpackImport(item) };
    });
    const state = (status: string | undefined) => (status === 'processing' ? 'open' : 'ended');
    const items = [...this.#table.entries()];
    const having = (kind: string) => items.filter(([key]) => key.includes(kind));
    return {
      status: Object.fromEntries(imports.map(({ i, item }) => [i, item === undefined ? 'none' : state(item.status)])),
      summary: Object.fromEntries(
        imports.flatMap(({ i, item }) =>
          CHUNKS.map((chunk) => [`${i}${chunk}`, this.resultOf(`${i}${chunk}`, item?.summaries[chunk])]),
        ),
      ),
      plan: Object.fromEntries(
        imports.flatMap(({ i }) =>
          CHUNKS.map((chunk) => {
            const item = this.#planOf(`${i}${chunk}`);
            return [`${i}${chunk}`, item === undefined ? 'none' : this.planIn(item).out];
          }),
        ),
      ),
      // A staged item before the commit belongs to no import.
      named: imports.flatMap(({ i, item }) => (item === undefined ? [] : this.#namedIn(i, having))),
      erased: this.#table.get(textOf(factKey(COMPANY, 'user', ANN_ID)))?.['erased_at'] !== undefined,
      bound: having('#record#r-').map(([key, item]) => `${key.split(/[# ]/)[2]} ${this.pairIn(item)}`),
      contributions: having('#learner#').flatMap(([, item]) => this.chunksIn(item)),
      reverted: imports.flatMap(({ i, item }) => (typeof item?.reverted_at === 'string' ? [i] : [])),
      notes: having(' relied#').map(([key]) => {
        const [pk = '', sk = ''] = key.split(' ');
        const { i, c } = this.noteIn({ pk, sk });
        return `${i} ${c}`;
      }),
      application: having('#plan#').find(([key]) => key.endsWith(' plan'))?.[1]['status'] ?? 'none',
      by: this.holderIn(this.#table.get(textOf(gateKey(COMPANY)))),
      epoch: unpackGate(this.#table.get(textOf(gateKey(COMPANY)))).epoch,
    };
  }

  #namedIn(i: string, having: (kind: string) => [string, Attributes][]): string[] {
    const payloads = having(' payload#').flatMap(([, item]) => {
      const { c, named } = this.payloadIn(item);
      return c.startsWith(i) && named ? [`payload ${c}`] : [];
    });
    const plans = CHUNKS.flatMap((chunk) => {
      const item = this.#planOf(`${i}${chunk}`);
      return item !== undefined && this.isNamedIn(item, 'plan') ? [`plan ${i}${chunk}`] : [];
    });
    return [...payloads, ...plans];
  }
}

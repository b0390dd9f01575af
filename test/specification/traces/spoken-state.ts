/** The table in the words of the specification: imports by name, chunks as `A0`, pairs as `p` and `q`. */
import { unpackJson } from '../../../functions/dynamodb/encoding.ts';
import { gateKey, importKey, planKey } from '../../../functions/dynamodb/table.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import { unpackGate } from '../../../functions/jobs/gate.ts';
import type { ChunkSummary, Plan } from '../../../functions/shared/model.ts';
import type { Attributes, Key } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import { COMPANY } from '../../simulation/world.ts';

export const EMAILS = { p: 'ann@acme.test', q: 'bob@acme.test' } as const;
const PAIR_OF_USER: Readonly<Record<number, string>> = { 1: 'p', 2: 'q' };
const CHUNKS = [0, 1];

const textOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

export class SpokenState {
  readonly #table = new Map<string, Attributes>();
  readonly #names: ReadonlyMap<string, string>;

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  note({ key, after }: Effect): void {
    if (after === undefined) this.#table.delete(textOf(key));
    else this.#table.set(textOf(key), after);
  }

  /** Empty if the history has no such import. */
  importOf({ pk }: Key): string {
    return this.#names.get(pk.split('#')[2] ?? '') ?? '';
  }

  /** Of the key of a plan. */
  chunkOf(key: Key): string {
    return `${this.importOf(key)}${Number(key.sk.slice('plan#'.length))}`;
  }

  /** The import that a note lies beside, and the chunk that relies on it. */
  noteIn(key: Key): { readonly i: string; readonly c: string } {
    const [, import_id = '', chunk] = key.sk.split('#');
    return { i: this.importOf(key), c: `${this.#names.get(import_id) ?? ''}${Number(chunk)}` };
  }

  /** That of an import, or of a run with the imports that it takes back. */
  revertOf(key: Key): string {
    if (key.pk.split('#')[1] === 'import') return `revert ${this.importOf(key)}`;
    const imports = this.#table.get(textOf(key))?.['imports'];
    return `run ${(imports === undefined ? [] : (unpackJson(imports) as string[])).map((id) => this.#names.get(id)).join('')}`;
  }

  /** Who holds the gate. */
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
    const [planned] = item === undefined ? [] : (unpackJson(item['plan']) as Plan).planned;
    const { result, write, relies_on = '' } = planned ?? {};
    const pair = PAIR_OF_USER[write?.user_id ?? 0] ?? 'none';
    return { out: result?.outcome ?? 'rejected', pair, on: this.#names.get(relies_on) ?? 'none' };
  }

  /** The chunks that have a contribution in an item. */
  chunksIn(learnerCourse: Attributes | undefined): string[] {
    return Object.keys(learnerCourse ?? {}).flatMap((name) => {
      const [kind, import_id = '', index] = name.split('#');
      return kind === 'm' ? [`${this.#names.get(import_id) ?? ''}${index}`] : [];
    });
  }

  resultOf(c: string, summary: ChunkSummary | undefined): string {
    if (summary === undefined) return 'none';
    if (summary.conflict.length > 0) return 'lost';
    if (summary.failed_indexes.length > 0) return 'failed';
    if (summary.failed === 0) return 'ok';
    const [import_id = ''] = [...this.#names].find(([, name]) => name === c.slice(0, 1)) ?? [];
    return this.planIn(this.#table.get(textOf(planKey(COMPANY, import_id, Number(c.slice(1)))))).out;
  }

  /** All that the specification has too. */
  stored() {
    const imports = [...this.#names].map(([import_id, i]) => {
      const item = this.#table.get(textOf(importKey(COMPANY, import_id)));
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
      bound: having('#record#').map(([key, item]) => `${key.split(/[# ]/)[2]} ${this.pairIn(item)}`),
      contributions: having('#learner#').flatMap(([, item]) => this.chunksIn(item)),
      reverted: imports.flatMap(({ i, item }) => (typeof item?.reverted_at === 'string' ? [i] : [])),
      notes: having(' relied#').map(([key]) => {
        const [pk = '', sk = ''] = key.split(' ');
        const { i, c } = this.noteIn({ pk, sk });
        return `${i} ${c}`;
      }),
      by: this.holderIn(this.#table.get(textOf(gateKey(COMPANY)))),
      epoch: unpackGate(this.#table.get(textOf(gateKey(COMPANY)))).epoch,
    };
  }
}

/** Erasures that are not done (§7), as items. Once one is done its item is deleted, and nothing says who the person was. */
import type { Database, Item } from '../dynamodb/client.ts';
import { packJson, unpackJson } from '../dynamodb/encoding.ts';
import { equals } from '../dynamodb/expressions.ts';
import { deleteItem, getItem, updateItem } from '../dynamodb/items.ts';
import { OPEN_IMPORTS_PARTITION, TABLE, erasureKey, factKey } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import type { ErasureIds } from '../jobs/queue.ts';
import type { ImportPosition } from '../imports/import-lists.ts';
import type { Instant } from '../shared/model.ts';

/**
 * `waiting` for the gate; `closing`: whoever began before ends; `naming`: what records call the person by is gathered;
 * `erasing` them from each import; `leaving`: whoever copied a payload meanwhile ends; `again`: those imports once more;
 * `removing` the person's own items; `ending` the sessions; `opening` the gate.
 */
export type ErasurePhase =
  | 'waiting'
  | 'closing'
  | 'naming'
  | 'erasing'
  | 'leaving'
  | 'again'
  | 'removing'
  | 'ending'
  | 'opening';

export interface Erasure extends ErasureIds {
  readonly user_id: number;
  readonly phase: ErasurePhase;
  /** Addresses in lookup form, external ids in string form. */
  readonly names: { readonly emails: readonly string[]; readonly external_ids: readonly string[] };
  /** The import that this phase has come to; absent at its beginning. */
  readonly after?: ImportPosition | undefined;
  /** Ids of imports that had chunks without a plan. */
  readonly again: readonly string[];
  /** How many records of theirs were found, in all imports. */
  readonly records: number;
  /** Nothing is done before. */
  readonly until?: Instant;
  /** When the watchdog looks after it. */
  readonly due_at: Instant;
  /** Grows with each change. */
  readonly version: number;
}

const { openImports } = TABLE;

/** The item of an erasure that begins. */
export function startedErasure(started: Pick<Erasure, 'company_id' | 'erasure_id' | 'user_id' | 'names' | 'due_at'>) {
  const beginning = { phase: 'waiting', again: [], records: 0, version: 0 } as const;
  return { ...erasureKey(started.company_id, started.erasure_id), ...attributesOf({ ...started, ...beginning }) };
}

export type ErasureStore = ReturnType<typeof erasureStore>;

export function erasureStore(database: Database) {
  return {
    async read({ company_id, erasure_id }: ErasureIds): Promise<Erasure | undefined> {
      const item = await getItem(database, erasureKey(company_id, erasure_id));
      return item && unpackErasure({ company_id, erasure_id }, item);
    },

    /** Changes the erasure if nobody else did meanwhile. Returns it as it is then, or `undefined`. */
    async advance(erasure: Erasure, change: Partial<Erasure>): Promise<Erasure | undefined> {
      const next = { ...erasure, ...change, version: erasure.version + 1 };
      const isUnchanged = equals('version', erasure.version);
      const moved = await updateItem(database, keyOf(erasure), {
        set: attributesOf(next),
        remove: next.after === undefined ? ['after'] : [],
        when: isUnchanged,
      });
      return moved ? next : undefined;
    },

    /** Notes beside the version of the user that the erasure is done. */
    async finish({ company_id, user_id, erasure_id }: Erasure, erased_at: Instant): Promise<void> {
      const isOurs = equals('erasure_id', erasure_id);
      await updateItem(database, factKey(company_id, 'user', user_id), { set: { erased_at }, when: isOurs });
    },

    /** Deletes the item, which holds the names of the person. */
    async forget(erasure: Erasure): Promise<void> {
      await deleteItem(database, keyOf(erasure));
    },
  };
}

function keyOf({ company_id, erasure_id }: ErasureIds): Key {
  return erasureKey(company_id, erasure_id);
}

function attributesOf({ user_id, phase, names, after, again, records, until, due_at, version }: Erasure) {
  return {
    user_id,
    phase,
    names: packJson(names),
    ...(after !== undefined && { after: packJson(after) }),
    again: packJson(again),
    records,
    ...(until !== undefined && { until }),
    version,
    // The watchdog counts resends of imports alone.
    resends: 0,
    [openImports.partitionKey]: OPEN_IMPORTS_PARTITION,
    [openImports.sortKey]: due_at,
  };
}

function unpackErasure(ids: ErasureIds, item: Item): Erasure {
  const { user_id, phase, records, until, due_at, version } = item as unknown as Erasure;
  return {
    ...ids,
    user_id,
    phase,
    names: unpackJson(item['names']) as Erasure['names'],
    ...(item['after'] !== undefined && { after: unpackJson(item['after']) as ImportPosition }),
    again: unpackJson(item['again']) as string[],
    records,
    ...(until !== undefined && { until }),
    due_at,
    version,
  };
}

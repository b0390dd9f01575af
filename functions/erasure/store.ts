import * as v from 'valibot';
import { planMarking, runErasure } from './erase-run.ts';
import { members, number, oneOf, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, packJson, unpackJson } from '../dynamodb/encoding.ts';
import { equals, isPresent } from '../dynamodb/expressions.ts';
import { deleteItem, updateItem } from '../dynamodb/items.ts';
import { query } from '../dynamodb/queries.ts';
import { TABLE, erasureKey, factKey, importKey, learnerPartition, namelessKey, payloadKey } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import { NAMELESS, PAYLOAD, PLAN, keyOfPlan } from '../imports/chunk-store.ts';
import { packSummary, summaryName } from '../imports/import-item.ts';
import { contributionsIn } from '../imports/contribution-item.ts';
import { packStepped, stepStore, unpackStepped, type Stepped } from '../jobs/steps.ts';
import type { ErasureWork } from '../jobs/work.ts';
import { freeIdentities } from '../reverts/remove.ts';
import { withoutApart, type Nameless } from '../records/nameless.ts';
import type { StagedChunk } from '../records/staged.ts';
import type { ChunkSummary, ImportItem, Instant, Plan, ImportIds } from '../shared/model.ts';

/** The phases of an erasure in their order, as they are stored. docs/architecture.md says what each does. */
const PHASES = [
  'waiting',
  'closing',
  'halting',
  'removing',
  'ending',
  'admitting',
  'naming',
  'erasing',
  'leaving',
  'again',
  'documents',
  'opening',
] as const;
export type ErasurePhase = (typeof PHASES)[number];

/** An erasure is found by its company and its own id, which does not show the person. */
export type ErasureIds = Omit<ErasureWork, 'kind'>;

/** An erasure that is not done; its item is deleted at the end. */
export interface Erasure extends ErasureIds, Stepped {
  /** `NO_ACCOUNT`: it has a `receipt_id`. */
  readonly user_id: number;
  /** Where the receipt of someone without an account is: a keyed hash of the names. */
  readonly receipt_id?: string | undefined;
  readonly phase: ErasurePhase;
  /** Addresses in lookup form, external ids in string form. */
  readonly names: { readonly emails: readonly string[]; readonly external_ids: readonly string[] };
  /** When `erasing` began: imports that ended before were not open then. */
  readonly since?: Instant | undefined;
  /** An import was open then. */
  readonly met_open?: true | undefined;
  /** How many records of the person were found, in all imports. */
  readonly records: number;
  /** How many other items were deleted: the user, mappings, progress, sessions. */
  readonly items?: number | undefined;
}

/** The item of a new erasure, for the transaction that deletes the user. */
export function startedErasure(
  started: Pick<Erasure, 'company_id' | 'erasure_id' | 'user_id' | 'receipt_id' | 'names' | 'items'> & {
    readonly due_at: Instant;
  },
): Key & Item {
  const erasure: Erasure = { ...started, phase: 'waiting', records: 0, resends: 0, version: 0 };
  return { ...keyOf(started), ...pack(erasure), ...packStepped(erasure) };
}

/** The parts of a chunk that are stored; `undefined` for one that is not, or is not changed. */
export interface ErasedChunk {
  readonly plan: Plan | undefined;
  readonly payload: StagedChunk | undefined;
  readonly nameless: Nameless | undefined;
  readonly summary: ChunkSummary | undefined;
}

export type ErasureStore = ReturnType<typeof erasureStore>;

/** Erasures by id, and the writes that replace what is stored of a person. */
export function erasureStore(database: Database) {
  const isThere = isPresent(TABLE.partitionKey);
  return {
    ...stepStore<ErasureIds, Erasure>(database, { idsOf: (erasure) => erasure, keyOf, pack, unpack }),

    /** Replaces the payload, the plan, what is stored apart from it, and the summary of a chunk, each if it is stored. */
    async replaceChunk(item: ImportItem, chunk: number, changed: ErasedChunk): Promise<void> {
      const { plan, payload, nameless, summary } = changed;
      const change = async (key: Key, name: string, value: object | undefined) =>
        value === undefined || updateItem(database, key, { set: { [name]: compressJson(value) }, when: isThere });
      await change(payloadKey(item, item.chunks[chunk]?.payload_hash ?? ''), PAYLOAD, payload);
      await change(keyOfPlan(item, chunk), PLAN, plan && withoutApart(plan));
      await change(namelessKey(item, chunk), NAMELESS, nameless);
      if (summary === undefined) return;
      const isSummarised = isPresent(summaryName(chunk));
      const set = { [summaryName(chunk)]: packSummary(summary) };
      await updateItem(database, importKey(item), { set, when: isSummarised });
    },

    eraseFromRun: runErasure(database),
    markPlans: planMarking(database),

    async noteChangedResults(ids: ImportIds, changed: number): Promise<void> {
      const set = { [TABLE.changedResults]: changed };
      await updateItem(database, importKey(ids), { set, when: isPresent('status') });
    },

    /** Removes all that is stored of a learner, migrated or not, and frees the ids of the records. Idempotent. Returns how many items it found. */
    async removeLearner(company_id: string, user_id: number): Promise<number> {
      let found = 0;
      const items = query(database, { partition: learnerPartition(company_id, user_id), strong: true });
      for await (const { pk, sk, ...item } of items) {
        const platform_course_id = Number(String(sk).split('#')[1]);
        const written = contributionsIn(item).map((contribution) => ({ user_id, platform_course_id, contribution }));
        await freeIdentities(database, company_id, written);
        await deleteItem(database, { pk: String(pk), sk: String(sk) });
        found += 1;
      }
      return found;
    },

    /** Notes beside the version of the fact that the erasure is done, and how many places it blanked: the receipt. */
    async finish(erasure: Erasure, erased_at: Instant): Promise<void> {
      const { company_id, user_id, receipt_id, erasure_id, records, items = 0 } = erasure;
      const key =
        receipt_id === undefined ? factKey(company_id, 'user', user_id) : factKey(company_id, 'person', receipt_id);
      const set = { erased_at, blanked: records + items };
      await updateItem(database, key, { set, when: equals('erasure_id', erasure_id) });
    },

    async forget(erasure: Erasure): Promise<void> {
      await deleteItem(database, keyOf(erasure));
    },
  };
}

const keyOf = ({ company_id, erasure_id }: ErasureIds): Key => erasureKey(company_id, erasure_id);

function pack({ user_id, receipt_id, names, since, met_open, records, items }: Erasure): Item {
  return {
    user_id,
    ...(receipt_id !== undefined && { receipt_id }),
    names: packJson(names),
    ...(since !== undefined && { since }),
    ...(met_open !== undefined && { met_open }),
    records,
    ...(items !== undefined && { items }),
  };
}

const texts = v.array(v.string());
const ERASURE = { user_id: number, phase: oneOf(PHASES), records: number };
const packedNames = v.object({ emails: texts, external_ids: texts });

function unpack({ company_id, erasure_id }: ErasureIds, item: Item): Erasure {
  return {
    company_id,
    erasure_id,
    ...unpackStepped(item),
    ...members(item, ERASURE),
    names: v.parse(packedNames, unpackJson(item['names'])),
    ...storedMembers(item, { since: text, receipt_id: text }),
    ...storedMembers(item, { items: number }),
    ...(item['met_open'] === true && { met_open: true }),
  };
}

import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, compressJsonText, unpackJson } from '../dynamodb/encoding.ts';
import { getItem, itemIsAbsent, putItem, batchGet, deleteItems, putItems } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { RELIANCES, TABLE, gateKey, importKey, importPartition, namelessKey, payloadKey } from '../dynamodb/table.ts';
import { planKey, relianceKey, reportKey, type Key } from '../dynamodb/table.ts';
import { text } from '../dynamodb/attributes.ts';
import { unpackGate } from '../jobs/gate.ts';
import type { ChunkWork } from '../jobs/work.ts';
import { optionalImport } from './import-item.ts';
import { dividedPlan, joinedPlan, namelessIn, type Nameless } from '../records/nameless.ts';
import type { StagedChunk } from '../records/staged.ts';
import { DETAILS_DAYS, STAGED_DAYS } from '../shared/limits.ts';
import type { ImportIds, ImportItem, Plan } from '../shared/model.ts';

/** The JSON text of a chunk and its hash, which names the payload. */
export interface ChunkText {
  readonly hash: string;
  readonly text: string;
}

/** A payload is needed until its chunk is planned; the plan holds the records too. */
const DAY_SECONDS = 24 * 60 * 60;
const PAYLOAD_LIFE_SECONDS = STAGED_DAYS * DAY_SECONDS;
export const PAYLOAD = 'payload';
export const PLAN = 'plan';
export const NAMELESS = 'nameless';

export type PlanReader = ReturnType<typeof planReader>;

/** Reads plans with what is stored apart from them: all that an operation needs to show results. */
export function planReader(database: Database) {
  /**
   * What is stored apart from the plans of these chunks, absent ones `undefined`, also what has expired and is not deleted yet: only
   * what is shown may leave it out. Strongly consistent.
   */
  async function readNameless(item: PlannedImport, chunks: readonly number[]): Promise<(Nameless | undefined)[]> {
    if (chunks.length === 0 || !areDetailsKeptLess(item)) return [];
    const keys = chunks.map((chunk) => namelessKey(item, chunk));
    return (await batchGet(database, keys, true)).map(optionalNameless);
  }

  return {
    readNameless,

    /** Payloads in the order of the hashes, strongly consistent, absent ones `undefined`. */
    async readPayloads(ids: ImportIds, hashes: readonly string[]): Promise<(StagedChunk | undefined)[]> {
      const keys = hashes.map((hash) => payloadKey(ids, hash));
      return (await batchGet(database, keys, true)).map(optionalPayload);
    },

    /**
     * Plans, or a dry run's report. A plan is put once: an eventual read that finds it suffices, else a strong one. `strongly`: also
     * what has just been changed in them is read.
     */
    async readPlans(item: ImportItem, chunks: readonly number[], strongly?: 'strongly'): Promise<(Plan | undefined)[]> {
      const keys = chunks.map((chunk) => keyOfPlan(item, chunk));
      const found = await batchGet(database, keys, strongly !== undefined);
      const missing = keys.filter((_, position) => found[position] === undefined);
      const again = missing.length === 0 ? [] : await batchGet(database, missing, true);
      const plans = found.map((item) => optionalPlan(item ?? again.shift()));
      const divided = chunks.filter((_, position) => plans[position]?.apart !== undefined);
      const apart = haveDetailsExpired(item, database.nowMs()) ? [] : await readNameless(item, divided);
      return plans.map((plan) => (plan?.apart === undefined ? plan : joinedPlan(plan, apart.shift())));
    },
  };
}

/** Payloads, plans and reports of imports. Of two plans of a chunk, the one that was put first counts. */
export function chunkStore(database: Database) {
  const inSeconds = (seconds: number): number => Math.ceil(database.nowMs() / 1000) + seconds;

  /** Stores what is kept for less time than the plan; the first write wins. Returns the plan without what is stored there. */
  async function putApart(item: PlannedImport, chunk: number, plan: Plan): Promise<Plan> {
    const nameless = namelessIn(plan);
    if (nameless === undefined) return plan;
    const key = namelessKey(item, chunk);
    const apart = { ...key, [NAMELESS]: compressJson(nameless), [TABLE.expiresAt]: detailsEndSeconds(item) };
    if (await putItem(database, apart, itemIsAbsent)) return dividedPlan(plan, nameless);
    return dividedPlan(plan, optionalNameless(await getItem(database, key)) ?? {});
  }

  return {
    ...planReader(database),

    /** Stages payload chunks under their hash; harmless to repeat. They expire after `STAGED_DAYS`. */
    async stage(ids: ImportIds, chunks: readonly ChunkText[]): Promise<void> {
      const items = chunks.map(({ hash, text }) => ({
        ...payloadKey(ids, hash),
        [PAYLOAD]: compressJsonText(text),
        [TABLE.expiresAt]: inSeconds(PAYLOAD_LIFE_SECONDS),
      }));
      await putItems(database, items);
    },

    /** One strongly consistent batch: the import, the plan of this chunk, its staged payload, the gate. */
    async readChunk(work: Omit<ChunkWork, 'kind'>) {
      const { company_id, chunk, payload_hash } = work;
      const keys = [importKey(work), planKey(work, chunk), payloadKey(work, payload_hash), gateKey(company_id)];
      const [importItem, planItem, payloadItem, gateItem] = await batchGet(database, keys, true);
      const item = optionalImport(importItem);
      const plan = optionalPlan(planItem);
      const payload = optionalPayload(payloadItem);
      const known = { ...(item && { import: item }), ...(plan && { plan }), ...(payload && { payload }) };
      return { ...known, gate: unpackGate(gateItem) };
    },

    /** The first write wins. Returns the stored plan. */
    async putPlan(item: PlannedImport, chunk: number, plan: Plan): Promise<Plan> {
      const key = planKey(item, chunk);
      const left = areDetailsKeptLess(item) ? await putApart(item, chunk, plan) : plan;
      if (await putItem(database, { ...key, [PLAN]: compressJson(left), ...expiryOf(item) }, itemIsAbsent)) return plan;
      const stored = optionalPlan(await getItem(database, key));
      if (stored === undefined) throw new Error('A plan is missing.');
      return stored;
    },

    /** Puts the report of a dry run under its own attempt, for so many days. */
    async putReport(ids: ImportIds, attempt_id: string, plans: readonly Plan[], days: number): Promise<void> {
      const items = plans.map((plan, chunk) => ({
        ...reportKey(ids, attempt_id, chunk),
        [PLAN]: compressJson(plan),
        [TABLE.expiresAt]: inSeconds(days * DAY_SECONDS),
      }));
      await putItems(database, items);
    },

    async dropReport(ids: ImportIds, attempt_id: string, chunks: number): Promise<void> {
      const keyOf = (_: unknown, chunk: number) => reportKey(ids, attempt_id, chunk);
      await deleteItems(database, Array.from({ length: chunks }, keyOf));
    },

    /** Notes beside each of these imports that the chunk relies on it. Harmless to repeat. */
    async putReliances(company_id: string, reliance: Reliance, reliedOn: readonly string[]): Promise<void> {
      const notes = [...new Set(reliedOn)].map((import_id) => relianceKey({ company_id, import_id }, reliance));
      await putItems(database, notes);
    },

    async forgetReliances(ids: ImportIds, reliances: readonly Reliance[]): Promise<void> {
      const notes = reliances.map((reliance) => relianceKey(ids, reliance));
      await deleteItems(database, notes);
    },

    async readReliances(ids: ImportIds): Promise<Reliance[]> {
      const partition = importPartition(ids);
      const items = await queryAll(database, { partition, between: RELIANCES, strong: true });
      return items.map((item) => {
        const [, relying = '', chunk] = text(item, TABLE.sortKey).split('#');
        return { import_id: relying, chunk: Number(chunk) };
      });
    },
  };
}

/** A chunk with a record that is `unchanged` because of another import. */
export type Reliance = Pick<ChunkWork, 'import_id' | 'chunk'>;

/** Without `expires_at` the details of all records are kept as long as the results. */
export type PlannedImport = ImportIds & {
  readonly expires_at?: ImportItem['expires_at'] | undefined;
  readonly created_at?: ImportItem['created_at'];
};

const detailsEndSeconds = ({ created_at = '' }: PlannedImport): number =>
  Math.ceil(Date.parse(created_at) / 1000) + DETAILS_DAYS * DAY_SECONDS;

/** Where results expire, and later than the details of a record of which no user was found. */
function areDetailsKeptLess(item: PlannedImport): boolean {
  return item.expires_at !== undefined && Date.parse(item.expires_at) / 1000 > detailsEndSeconds(item);
}

/** Whether the details of records of which no user was found are kept no longer. */
export function haveDetailsExpired(item: PlannedImport, nowMs: number): boolean {
  return areDetailsKeptLess(item) && nowMs >= detailsEndSeconds(item) * 1000;
}

/** A day after the results expire, so that a request that is reading them can end. */
function expiryOf({ expires_at }: Pick<PlannedImport, 'expires_at'>): Item {
  if (expires_at === undefined) return {};
  return { [TABLE.expiresAt]: Math.ceil(Date.parse(expires_at) / 1000) + DAY_SECONDS };
}

/** Where the plan of a chunk is: of a dry run, in the report of its attempt. */
export const keyOfPlan = (item: ImportItem, chunk: number): Key =>
  item.dry_run ? reportKey(item, item.attempt_id, chunk) : planKey(item, chunk);

function optionalPlan(item: Item | undefined): Plan | undefined {
  return item && (unpackJson(item[PLAN]) as Plan);
}

function optionalNameless(item: Item | undefined): Nameless | undefined {
  return item && (unpackJson(item[NAMELESS]) as Nameless);
}

function optionalPayload(item: Item | undefined): StagedChunk | undefined {
  return item && (unpackJson(item[PAYLOAD]) as StagedChunk);
}

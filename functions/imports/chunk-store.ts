import { batchGet, deleteItems, putItems } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, unpackJson } from '../dynamodb/encoding.ts';
import { getItem, itemIsAbsent, putItem } from '../dynamodb/items.ts';
import { TABLE, importKey, payloadKey, planKey, reportKey } from '../dynamodb/table.ts';
import type { ImportStore, StagedChunk } from './import-store.ts';
import { optionalImport } from './import-store.ts';
import type { Plan } from '../shared/model.ts';

type Chunks = Pick<
  ImportStore,
  'stage' | 'readChunk' | 'readPayloads' | 'putPlan' | 'putReport' | 'dropReport' | 'readPlans'
>;

/** A payload serves until its chunk is planned; the plan, which is kept for good, holds the records too. */
const PAYLOAD_LIFE_SECONDS = 90 * 24 * 60 * 60;
const PAYLOAD = 'payload';
const PLAN = 'plan';

/** What an import's chunks hold: the staged payload, the plan, a dry run's report. One compressed item a chunk. */
export function chunkStore(database: Database): Chunks {
  return {
    async stage(company_id, import_id, chunks) {
      const expiresAtSeconds = Math.ceil(database.nowMs() / 1000) + PAYLOAD_LIFE_SECONDS;
      const items = chunks.map(({ hash, chunk }) => ({
        ...payloadKey(company_id, import_id, hash),
        [PAYLOAD]: compressJson(chunk),
        [TABLE.expiresAt]: expiresAtSeconds,
      }));
      await putItems(database, items);
    },

    async readChunk({ company_id, import_id, chunk, payload_hash }) {
      const keys = [
        importKey(company_id, import_id),
        planKey(company_id, import_id, chunk),
        payloadKey(company_id, import_id, payload_hash),
      ];
      const [importItem, planItem, payloadItem] = await batchGet(database, keys, true);
      const item = optionalImport(importItem);
      const plan = optionalPlan(planItem);
      const payload = optionalPayload(payloadItem);
      return { ...(item && { import: item }), ...(plan && { plan }), ...(payload && { payload }) };
    },

    async readPayloads(company_id, import_id, hashes) {
      const keys = hashes.map((hash) => payloadKey(company_id, import_id, hash));
      return (await batchGet(database, keys, true)).map(optionalPayload);
    },

    async putPlan(company_id, import_id, chunk, plan) {
      const key = planKey(company_id, import_id, chunk);
      if (await putItem(database, { ...key, [PLAN]: compressJson(plan) }, itemIsAbsent)) return plan;
      const standing = optionalPlan(await getItem(database, key));
      if (standing === undefined) throw new Error('a plan is missing');
      return standing;
    },

    async putReport(company_id, import_id, attempt_id, plans) {
      const items = plans.map((plan, chunk) => ({
        ...reportKey(company_id, import_id, attempt_id, chunk),
        [PLAN]: compressJson(plan),
      }));
      await putItems(database, items);
    },

    async dropReport(company_id, import_id, attempt_id, chunks) {
      await deleteItems(
        database,
        Array.from({ length: chunks }, (_, chunk) => reportKey(company_id, import_id, attempt_id, chunk)),
      );
    },

    async readPlans({ company_id, import_id, dry_run, attempt_id }, chunks) {
      const keyOf = (chunk: number) =>
        dry_run ? reportKey(company_id, import_id, attempt_id, chunk) : planKey(company_id, import_id, chunk);
      return (await batchGet(database, chunks.map(keyOf), true)).map(optionalPlan);
    },
  };
}

function optionalPlan(item: Item | undefined): Plan | undefined {
  return item && (unpackJson(item[PLAN]) as Plan);
}

function optionalPayload(item: Item | undefined): StagedChunk | undefined {
  return item && (unpackJson(item[PAYLOAD]) as StagedChunk);
}

import { createHash } from 'node:crypto';
import { haveDetailsExpired } from './chunk-store.ts';
import { importWithoutRecords } from './import-item.ts';
import type { ImportStore } from './import-store.ts';
import { canonicalJson } from '../records/json.ts';
import { overridden } from '../records/result.ts';
import { emptyChunk, pendingIn, type StagedChunk } from '../records/staged.ts';
import type { Clock } from '../runtime/system.ts';
import {
  CHUNK_LIMITS,
  MAX_PROBLEMS_PER_RESPONSE,
  MAX_RECORDS_PER_IMPORT,
  SHORTENED_PROBLEMS,
} from '../shared/limits.ts';
import { getImport, pathOf } from '../shared/routes.ts';
import type { ChunkRef, Digests, Import, ImportIds, ImportItem, RecordResult, Problem } from '../shared/model.ts';

const LONGEST_WAIT_SECONDS = 10;

/** Recommended polling delay: as long as the import, or run, has taken so far, 1 to 10 seconds. */
export function retryAfter({ created_at }: Pick<ImportItem, 'created_at'>, nowMs: number) {
  const ageSeconds = Math.floor((nowMs - Date.parse(created_at)) / 1000);
  return { 'retry-after': String(Math.min(LONGEST_WAIT_SECONDS, Math.max(1, ageSeconds))) };
}

/** The same of a run: a draft is older than the application of its plan. */
export const retryRunAfter = (
  { created_at, plan }: { readonly created_at: string; readonly plan: { readonly applied_at: string | null } | null },
  nowMs: number,
) => retryAfter({ created_at: plan?.applied_at ?? created_at }, nowMs);

/** The `Retry-After` header of an import that is processing; none for one that has ended. */
export const retryWhileOpen = (shown: { readonly created_at: string; readonly status: string }, nowMs: number) =>
  shown.status === 'processing' ? retryAfter(shown, nowMs) : {};

/** With too many problems for one page (6 MB) each record names its first ones. `records`: `undefined` if expired. */
export function importResource(item: ImportItem, records: readonly RecordResult[] | undefined): Import {
  const { planned_by } = item;
  const resource = { ...importWithoutRecords(item), ...(planned_by !== undefined && { planned_by }) };
  if (records === undefined) return { ...resource, report_expired: true, records: [] };
  const problems = records.reduce((sum, { errors }) => sum + errors.length, 0);
  const shown = problems <= MAX_PROBLEMS_PER_RESPONSE ? records : records.map(shortened);
  return { ...resource, records: shown };
}

/** Whether the results of this import have expired (§4.5). Its plans may be deleted, at the earliest a day later. */
export function hasExpired({ expires_at }: Pick<ImportItem, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= nowMs;
}

/** Values for the ETag: they change whenever the results do. */
export function resultsVersion(item: ImportItem, nowMs: number): readonly unknown[] {
  return [
    importWithoutRecords(item),
    item.changed_results ?? 0,
    hasExpired(item, nowMs),
    haveDetailsExpired(item, nowMs),
  ];
}

const MORE_PROBLEMS: Problem = {
  error_code: 'invalid_record',
  message: 'The record has more problems. The list of the records of this import names them.',
};

function shortened(result: RecordResult): RecordResult {
  if (result.errors.length <= SHORTENED_PROBLEMS) return result;
  return { ...result, errors: [...result.errors.slice(0, SHORTENED_PROBLEMS), MORE_PROBLEMS] };
}

/** The import resource with the known result of every record; without results if they have expired. */
export async function importWithResults(item: ImportItem, services: ReadingServices): Promise<Import> {
  const results = (await readResults(item, services))?.map(({ result }) => result);
  return importResource(item, results);
}

export const importPath = (ids: ImportIds): string => pathOf(getImport, ids);

const ORDINARY_CHUNKS = Math.ceil(MAX_RECORDS_PER_IMPORT / CHUNK_LIMITS.records);

/** The most bytes that reading its results takes beyond those of ordinary records. */
export const bytesRead = ({ chunks }: ImportItem): number =>
  Math.max(0, chunks.length - ORDINARY_CHUNKS) * CHUNK_LIMITS.bytes;

interface ReportedRecord {
  readonly result: RecordResult;
  readonly record: unknown;
}

interface ReadingServices {
  readonly clock: Clock;
  readonly stores: { readonly imports: Pick<ImportStore, 'readPlans' | 'readPayloads'> };
}

/** In the order sent (§4.2 operation 9); a summary overrides its plan. `undefined` if they have expired. */
export async function readResults(
  item: ImportItem,
  services: ReadingServices,
  wanted: readonly number[] = [...item.chunks.keys()],
): Promise<ReportedRecord[] | undefined> {
  const { imports } = services.stores;
  if (hasExpired(item, services.clock.nowMs())) return undefined;
  const chunks = wanted.flatMap((chunk) => {
    const ref = item.chunks[chunk];
    return ref === undefined ? [] : [{ ref, chunk, summary: item.summaries[chunk] }];
  });
  const done = chunks.flatMap(({ chunk, summary }) => (summary === undefined ? [] : [{ chunk, summary }]));
  const open = chunks.filter(({ summary }) => summary === undefined);
  const ended = done.map(({ chunk }) => chunk);
  const hashes = open.map(({ ref }) => ref.payload_hash);
  const [plans, payloads] = await Promise.all([imports.readPlans(item, ended), imports.readPayloads(item, hashes)]);
  if (item.dry_run && plans.includes(undefined)) return undefined;
  const reported = [
    ...done.flatMap(({ summary }, position) => {
      const plan = plans[position];
      if (plan === undefined) throw new Error('A summarised chunk has no plan.');
      return plan.planned.map(({ result }, offset) => ({
        result: overridden(result, summary),
        record: plan.records[offset],
      }));
    }),
    ...open.flatMap(({ ref }, position) => pendingRecords(ref, payloads[position])),
  ];
  return reported.toSorted((a, b) => a.result.index - b.result.index);
}

function pendingRecords(ref: ChunkRef, payload: StagedChunk | undefined): ReportedRecord[] {
  const chunk = payload ?? emptyChunk(ref);
  return chunk.records.map((_, offset) => ({ result: pendingIn(chunk, offset), record: payload?.records[offset] }));
}

/**
 * SHA-256, in hexadecimal, of these values: each as canonical JSON and a line feed.
 *
 * @example
 * digestOf([]); // => 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
 */
export function digestOf(values: Iterable<unknown>): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(`${canonicalJson(value)}\n`);
  return hash.digest('hex');
}

/** The digests of an import that ends (§4.10), of its results and of its records. None without a run. */
export async function digestsOf(
  item: ImportItem,
  services: Parameters<typeof readResults>[1],
): Promise<Digests | undefined> {
  const reported = item.run_id === null ? undefined : await readResults(item, services);
  return reported && digestsOfResults(item, reported);
}

/** The same of results that are known, in their order. */
export const digestsOfResults = (
  { import_id }: Pick<ImportIds, 'import_id'>,
  reported: readonly ReportedRecord[],
): Digests => ({
  records_digest: digestOf(reported.map(({ record }) => record ?? null)),
  results_digest: digestOf(reported.map(({ result }) => ({ import_id, ...result }))),
});

/** Imports and their chunks: what is staged, committed, planned, summarised and settled. */
import { batchGet } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, equals, isAbsent } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateAndRead, updateItem } from '../dynamodb/items.ts';
import { query, queryAll } from '../dynamodb/queries.ts';
import { OPEN_IMPORTS_PARTITION, TABLE, importKey, importsListPartition, importsListSort } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import type { ChunkMessage } from './chunk-queue.ts';
import type { ChunkRef, ChunkSummary, ImportItem, ImportStatus, Instant, Plan } from '../shared/model.ts';

/**
 * One chunk as staged before the commit. `duplicates`: positions in the import that repeat an earlier external_record_id.
 * `oversized`: positions of records that no item could hold; of those only the external_record_id is kept.
 */
export interface StagedChunk {
  readonly first_index: number;
  readonly records: readonly unknown[];
  readonly duplicates: readonly number[];
  readonly oversized: readonly number[];
}

export interface ImportStore {
  /** Strongly consistent. */
  read(company_id: string, import_id: string): Promise<ImportItem | undefined>;
  /** Stages payload chunks under their hash; harmless to repeat. They expire; what is kept for good is the plan. */
  stage(company_id: string, import_id: string, chunks: readonly { hash: string; chunk: StagedChunk }[]): Promise<void>;
  /** Creates the import if absent. Answers the item that stands (ours or an earlier one). */
  commit(item: ImportItem): Promise<ImportItem>;
  /** One strongly consistent batch: the import, the plan of this chunk, its staged payload. */
  readChunk(message: ChunkMessage): Promise<{ import?: ImportItem; plan?: Plan; payload?: StagedChunk }>;
  readPayloads(company_id: string, import_id: string, hashes: readonly string[]): Promise<(StagedChunk | undefined)[]>;
  /** First write wins; answers the plan that stands. */
  putPlan(company_id: string, import_id: string, chunk: number, plan: Plan): Promise<Plan>;
  /** The report of a dry run, under its own attempt. */
  putReport(company_id: string, import_id: string, attempt_id: string, plans: readonly Plan[]): Promise<void>;
  /** Removes the report of an attempt that lost the race to commit. */
  dropReport(company_id: string, import_id: string, attempt_id: string, chunks: number): Promise<void>;
  /** Plans of these chunks (of a dry run: the report its item names), strongly consistent, absent ones `undefined`. */
  readPlans(item: ImportItem, chunks: readonly number[]): Promise<(Plan | undefined)[]>;
  /** Sets the summary if absent and the import is open, moves `due_at` if given. Answers the import as it then stands. */
  setSummary(
    company_id: string,
    import_id: string,
    chunk: number,
    summary: ChunkSummary,
    due_at?: Instant,
  ): Promise<ImportItem | undefined>;
  /** Sets the terminal status if the import is open. Answers the import as it then stands, and whether this call did it. */
  settle(
    company_id: string,
    import_id: string,
    status: ImportStatus,
    completed_at: Instant,
  ): Promise<{ item: ImportItem; settled: boolean }>;
  /** Open imports due at or before this instant, oldest due first (eventually consistent index). Without it: every open import. */
  listOpen(due_before?: Instant): AsyncIterable<{ company_id: string; import_id: string }>;
  /** Counts a re-send before it happens, if the import is open and still at `resends`. False if somebody else was first. */
  countResend(item: ImportItem, due_at: Instant): Promise<boolean>;
  /** Sets `closing_at` if open and absent; moves `due_at`. Answers the import as it then stands. */
  startClosing(item: ImportItem, closing_at: Instant, due_at: Instant): Promise<ImportItem | undefined>;
  /** Newest first, up to `limit` items, strictly after the position. */
  list(company_id: string, limit: number, after?: { created_at: Instant; import_id: string }): Promise<ImportItem[]>;
}

/** The attributes of an import as stored. `open_pk` and `due_at` put it in the index of open imports while it is open. */
interface StoredImport {
  readonly company_id: string;
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly status: ImportItem['status'];
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly total: number;
  readonly fingerprint: string;
  readonly attempt_id: string;
  /** `first_index+size:payload_hash`, blank-separated. */
  readonly chunks: string;
  readonly resends: number;
  readonly due_at?: string;
  readonly closing_at?: string;
}

const SUMMARY = 'summary#';
const { importsByCompany, openImports } = TABLE;

/** A summary is an attribute of its own, so that it can be set once without knowing the others. */
export function summaryName(chunk: number): string {
  return `${SUMMARY}${chunk}`;
}

const NOTHING: ChunkSummary = { succeeded: 0, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };

/** Members that are 0 or empty are left out: a large import has many summaries, and most say one number. */
export function packSummary(summary: ChunkSummary): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(summary).filter(([, value]) => (Array.isArray(value) ? value.length : value) > 0),
    ),
  );
}

function unpackSummary(text: unknown): ChunkSummary {
  return { ...NOTHING, ...(JSON.parse(String(text)) as Partial<ChunkSummary>) };
}

export function packImport({ chunks, summaries, due_at, ...rest }: ImportItem): Key & Item {
  const stored: StoredImport = { ...rest, chunks: chunks.map(packChunk).join(' ') };
  return {
    ...importKey(rest.company_id, rest.import_id),
    ...stored,
    ...Object.fromEntries(
      Object.entries(summaries).map(([chunk, summary]) => [summaryName(Number(chunk)), packSummary(summary)]),
    ),
    [importsByCompany.partitionKey]: importsListPartition(rest.company_id),
    [importsByCompany.sortKey]: importsListSort(rest.created_at, rest.import_id),
    ...(due_at !== undefined && { [openImports.partitionKey]: OPEN_IMPORTS_PARTITION, [openImports.sortKey]: due_at }),
  };
}

export function unpackImport(item: Item): ImportItem {
  const stored = item as unknown as StoredImport;
  const summaries = Object.entries(item)
    .filter(([name]) => name.startsWith(SUMMARY))
    .map(([name, text]) => [Number(name.slice(SUMMARY.length)), unpackSummary(text)] as const);
  return {
    company_id: stored.company_id,
    import_id: stored.import_id,
    dry_run: stored.dry_run,
    status: stored.status,
    created_at: stored.created_at,
    completed_at: stored.completed_at,
    total: stored.total,
    fingerprint: stored.fingerprint,
    attempt_id: stored.attempt_id,
    chunks: stored.chunks === '' ? [] : stored.chunks.split(' ').map(unpackChunk),
    summaries: Object.fromEntries(summaries),
    resends: stored.resends,
    ...(stored.due_at !== undefined && { due_at: stored.due_at }),
    ...(stored.closing_at !== undefined && { closing_at: stored.closing_at }),
  };
}

function packChunk({ first_index, size, payload_hash }: ChunkRef): string {
  return `${first_index}+${size}:${payload_hash}`;
}

function unpackChunk(text: string): ChunkRef {
  const [first_index = '', size = '', payload_hash = ''] = text.split(/[+:]/);
  return { first_index: Number(first_index), size: Number(size), payload_hash };
}

type StatusItem = Pick<ImportStore, 'read' | 'commit' | 'setSummary' | 'settle' | 'countResend' | 'startClosing'>;

const stillOpen = equals('status', 'processing');

/** The status item of an import (§3): created once, each summary set once, terminal set once. */
export function importStatusStore(database: Database): StatusItem {
  const read = async (company_id: string, import_id: string) =>
    optionalImport(await getItem(database, importKey(company_id, import_id)));

  return {
    read,

    async commit(item) {
      if (await putItem(database, packImport(item), itemIsAbsent)) return item;
      const standing = await read(item.company_id, item.import_id);
      return expected(standing);
    },

    async setSummary(company_id, import_id, chunk, summary, due_at) {
      const notYetSummarised = isAbsent(summaryName(chunk));
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: {
          [summaryName(chunk)]: packSummary(summary),
          ...(due_at !== undefined && { [openImports.sortKey]: due_at }),
        },
        when: allOf(notYetSummarised, stillOpen),
      });
      return optionalImport(item);
    },

    async settle(company_id, import_id, status, completed_at) {
      const { changed, item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { status, completed_at },
        remove: [openImports.partitionKey, openImports.sortKey],
        when: stillOpen,
      });
      return { item: expected(optionalImport(item)), settled: changed };
    },

    countResend({ company_id, import_id, resends }, due_at) {
      const nobodyElseCounted = equals('resends', resends);
      return updateItem(database, importKey(company_id, import_id), {
        set: { resends: resends + 1, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, nobodyElseCounted),
      });
    },

    async startClosing({ company_id, import_id }, closing_at, due_at) {
      const notYetClosing = isAbsent('closing_at');
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { closing_at, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, notYetClosing),
      });
      return optionalImport(item);
    },
  };
}

export function optionalImport(item: Item | undefined): ImportItem | undefined {
  return item === undefined ? undefined : unpackImport(item);
}

/** Import items are never removed: one that a write met is there. */
function expected(item: ImportItem | undefined): ImportItem {
  if (item === undefined) throw new Error('an import item is missing');
  return item;
}

/** The imports of a company, and those that are still open. The indexes hold keys alone; what a list shows is read strongly. */
export function importListStore(database: Database): Pick<ImportStore, 'list' | 'listOpen'> {
  return {
    async list(company_id, limit, after) {
      const entries = await queryAll(database, {
        partition: importsListPartition(company_id),
        index: TABLE.importsByCompany,
        newestFirst: true,
        bound: after && { operator: '<', value: importsListSort(after.created_at, after.import_id) },
        limit,
      });
      const keys = entries.map(({ pk, sk }) => ({ pk, sk }) as Key);
      const items = await batchGet(database, keys, true);
      return items.filter((item) => item !== undefined).map(unpackImport);
    },

    async *listOpen(due_before) {
      const entries = query(database, {
        partition: OPEN_IMPORTS_PARTITION,
        index: TABLE.openImports,
        bound: due_before === undefined ? undefined : { operator: '<=', value: due_before },
      });
      for await (const { pk } of entries) yield idsOf(String(pk));
    },
  };
}

/** The ids in an import's own key; neither can hold a `#`. */
function idsOf(pk: string): { company_id: string; import_id: string } {
  const [company_id = '', , import_id = ''] = pk.split('#');
  return { company_id, import_id };
}

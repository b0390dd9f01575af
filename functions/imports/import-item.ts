import type { Item } from '../dynamodb/client.ts';
import { assertReadableAttributes } from '../dynamodb/encoding.ts';
import {
  OPEN_IMPORTS_PARTITION,
  TABLE,
  importKey,
  importsListPartition,
  importsListSort,
  importsOfRunPartition,
  importsOfStatusPartition,
} from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import type { ChunkRef, ChunkSummary, ImportCounts, ImportItem, ImportSummary } from '../shared/model.ts';

/** The attributes of an import as stored. `open_pk` and `due_at` put it in the index of open imports while it is open. */
interface StoredImport {
  readonly company_id: string;
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly status: ImportItem['status'];
  readonly created_at: string;
  readonly created_by: number;
  readonly run_id: string | null;
  readonly completed_at: string | null;
  readonly cancelled_at: string | null;
  readonly reverted_at: string | null;
  readonly total: number;
  /** Set with the terminal status: `succeeded failed with_warnings`, for the lists. */
  readonly final_counts?: string;
  readonly fingerprint: string;
  readonly attempt_id: string;
  /** `first_index+size:payload_hash`, blank-separated. */
  readonly chunks: string;
  readonly resends: number;
  readonly due_at?: string;
  readonly closing_at?: string;
  readonly expires_at?: string;
  readonly erased?: number;
  readonly end_is_owed?: true;
}

const SUMMARY = 'summary#';
const { importsByCompany, importsByRun, importsByStatus, openImports } = TABLE;

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
    ...(rest.run_id !== null && { [importsByRun.partitionKey]: importsOfRunPartition(rest.company_id, rest.run_id) }),
    ...(rest.status !== 'processing' && ended({ ...rest, summaries })),
    ...(due_at !== undefined && { [openImports.partitionKey]: OPEN_IMPORTS_PARTITION, [openImports.sortKey]: due_at }),
  };
}

export function unpackImport(item: Item): ImportItem {
  assertReadableAttributes(item);
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
    created_by: stored.created_by,
    run_id: stored.run_id,
    completed_at: stored.completed_at,
    cancelled_at: stored.cancelled_at,
    reverted_at: stored.reverted_at,
    total: stored.total,
    fingerprint: stored.fingerprint,
    attempt_id: stored.attempt_id,
    chunks: stored.chunks === '' ? [] : stored.chunks.split(' ').map(unpackChunk),
    summaries: Object.fromEntries(summaries),
    resends: stored.resends,
    ...(stored.due_at !== undefined && { due_at: stored.due_at }),
    ...(stored.expires_at !== undefined && { expires_at: stored.expires_at }),
    ...(stored.erased !== undefined && { erased: stored.erased }),
    ...(stored.closing_at !== undefined && { closing_at: stored.closing_at }),
    ...(stored.end_is_owed === true && { end_is_owed: true }),
  };
}

/** What the terminal status brings with it: its counts in the lists, and the list of its status. */
export function ended(item: Pick<ImportItem, 'company_id' | 'status' | 'total' | 'summaries'>): Item {
  const { succeeded, failed, with_warnings } = countsOf(item);
  return {
    status: item.status,
    final_counts: [succeeded, failed, with_warnings].join(' '),
    ...(hasListOfItsOwn(item.status) && {
      [importsByStatus.partitionKey]: importsOfStatusPartition(item.company_id, item.status),
    }),
  };
}

/**
 * Whether imports of this status have a list of their own: those that somebody looks for among many others. An import that
 * succeeds costs no entry; the other statuses are searched for among all imports, newest first.
 */
export function hasListOfItsOwn(status: ImportItem['status']): boolean {
  return status === 'error' || status === 'partial_success';
}

/** An entry of a list as the list shows it. While it is processing its counts are on the import alone. */
export function unpackListed(entry: Item): ImportSummary {
  const stored = entry as unknown as StoredImport;
  const { status, dry_run, created_by, run_id, completed_at, cancelled_at, reverted_at, total } = stored;
  const [created_at, import_id] = String(entry[importsByCompany.sortKey]).split('#') as [string, string];
  const [succeeded, failed, with_warnings] = (stored.final_counts ?? '0 0 0').split(' ').map(Number) as Three;
  return {
    import_id,
    company_id: companyOf(entry),
    status,
    dry_run,
    created_at,
    created_by,
    run_id,
    completed_at,
    cancelled_at,
    reverted_at,
    counts: { total, processed: succeeded + failed, succeeded, failed, with_warnings },
  };
}

type Three = [number, number, number];

/** The import resource as the list returns it (§2.8). */
export function importWithoutRecords(item: ImportItem): ImportSummary {
  const { import_id, company_id, status, dry_run, created_at, created_by, run_id } = item;
  const { completed_at, cancelled_at, reverted_at } = item;
  const created = { import_id, company_id, status, dry_run, created_at, created_by, run_id };
  return { ...created, completed_at, cancelled_at, reverted_at, counts: countsOf(item) };
}

/** The company in an item's own key; it cannot hold a `#`. */
export function companyOf({ pk }: Item): string {
  return String(pk).slice(0, String(pk).indexOf('#'));
}

/** What a poll shows of an import: the counts of the chunks that are summarised. They only grow. */
export function countsOf(item: Pick<ImportItem, 'total' | 'summaries'>): ImportCounts {
  const summaries = Object.values(item.summaries);
  const sum = (member: 'succeeded' | 'failed' | 'with_warnings') =>
    summaries.reduce((total, summary) => total + summary[member], 0);
  const [succeeded, failed] = [sum('succeeded'), sum('failed')];
  return { total: item.total, processed: succeeded + failed, succeeded, failed, with_warnings: sum('with_warnings') };
}

export function optionalImport(item: Item | undefined): ImportItem | undefined {
  return item === undefined ? undefined : unpackImport(item);
}

/** A summary is an attribute of its own, so that it can be set once without knowing the others. */
export function summaryName(chunk: number): string {
  return `${SUMMARY}${chunk}`;
}

/** Members that are 0 or empty are left out: a large import has many summaries, and most consist of one number. */
export function packSummary(summary: ChunkSummary): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(summary).filter(([, value]) => (Array.isArray(value) ? value.length : value) > 0),
    ),
  );
}

const NOTHING: ChunkSummary = { succeeded: 0, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };

function unpackSummary(text: unknown): ChunkSummary {
  return { ...NOTHING, ...(JSON.parse(String(text)) as Partial<ChunkSummary>) };
}

function packChunk({ first_index, size, payload_hash }: ChunkRef): string {
  return `${first_index}+${size}:${payload_hash}`;
}

function unpackChunk(text: string): ChunkRef {
  const [first_index, size, payload_hash] = text.split(/[+:]/) as [string, string, string];
  return { first_index: Number(first_index), size: Number(size), payload_hash };
}

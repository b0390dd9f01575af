import type { Item } from '../dynamodb/client.ts';
import { OPEN_IMPORTS_PARTITION, TABLE, importKey, importsListPartition, importsListSort } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import type { ChunkRef, ChunkSummary, ImportItem } from '../shared/model.ts';

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

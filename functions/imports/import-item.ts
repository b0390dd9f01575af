import { packCreator, shownCreator, storedCreator } from '../auth/creator.ts';
import type { Item } from '../dynamodb/client.ts';
import { flag, members, nullable, number, oneOf, storedMembers, text } from '../dynamodb/attributes.ts';
import { assertReadableAttributes } from '../dynamodb/encoding.ts';
import { INDEX, TABLE, dueAt, importKey, importsListPartition } from '../dynamodb/table.ts';
import { importsOfStatusPartition, placeOf, positionIn, runPartition, type Key } from '../dynamodb/table.ts';
import * as ENV from '../runtime/variables.ts';
import { IMPORT_STATUSES } from '../shared/codes.ts';
import { ARCHIVE_YEARS } from '../shared/limits.ts';
import { daysAfter, yearsAfter } from '../records/instants.ts';
import type {
  ChunkRef,
  ChunkSummary,
  Digests,
  ImportCounts,
  ImportItem,
  ImportPosition,
  Instant,
} from '../shared/model.ts';
import type { ImportSummary } from '../shared/model.ts';

const SUMMARY = 'summary#';
const { importsByCompany, importsByRun, importsByStatus } = INDEX;

export const UNTOUCHED = {
  status: 'processing',
  completed_at: null,
  cancelled_at: null,
  reverted_at: null,
  summaries: {},
} as const;

/** For how long a deployment keeps results of imports, without a setting for good; and what imports archive. */
export interface Keeping {
  readonly retentionDays?: number | undefined;
  readonly archiveYears?: number | undefined;
}

/** What the deployment says of it. */
export function keepingIn(environment: ENV.Environment): Keeping {
  const numberOf = (name: string) => (environment[name] === undefined ? undefined : Number(environment[name]));
  return { retentionDays: numberOf(ENV.retentionDays), archiveYears: numberOf(ENV.archiveYears) };
}

/** Until when the results of a real import are kept, and what it archives. */
export const keptUntil = (
  created_at: Instant,
  { archive = false }: { readonly archive?: boolean | undefined },
  { retentionDays, archiveYears = ARCHIVE_YEARS.fallback }: Keeping,
): Pick<ImportItem, 'expires_at' | 'archived_until'> => ({
  ...(retentionDays !== undefined && { expires_at: daysAfter(created_at, retentionDays) }),
  ...(archive && { archived_until: yearsAfter(created_at, archiveYears) }),
});

/** `chunks` is one text, `first_index+size:payload_hash` each; a summary is an attribute. `open_pk`: open work. */
export function packImport(item: ImportItem): Key & Item {
  const { chunks, summaries, due_at, changed_results, digests, created_by, created_by_client, ...rest } = item;
  return {
    ...importKey(rest),
    ...rest,
    created_by: packCreator({ created_by, created_by_client }),
    chunks: chunks.map(packChunk).join(' '),
    ...Object.fromEntries(
      Object.entries(summaries).map(([chunk, summary]) => [summaryName(Number(chunk)), packSummary(summary)]),
    ),
    [importsByCompany.partitionKey]: importsListPartition(rest.company_id),
    [importsByCompany.sortKey]: placeOf(rest),
    ...(rest.run_id !== null && { [importsByRun.partitionKey]: runPartition({ ...rest, run_id: rest.run_id }) }),
    ...(rest.status !== 'processing' && ended({ ...rest, summaries })),
    ...(changed_results !== undefined && { [TABLE.changedResults]: changed_results }),
    ...packDigests(digests),
    ...(due_at !== undefined && dueAt(due_at)),
  };
}

/** Both digests in one attribute, so that they are written together or not at all. */
export const packDigests = (digests: ImportItem['digests']): Item =>
  digests === undefined ? {} : { digests: `${digests.records_digest} ${digests.results_digest}` };

function unpackDigests(item: Item, name: string): Digests {
  const [records_digest = '', results_digest = ''] = text(item, name).split(' ');
  return { records_digest, results_digest };
}

const textOrNull = nullable(text);

/** Reads a stored import. @throws TemporarilyUnavailable if a later release wrote it */
export function unpackImport(item: Item): ImportItem {
  assertReadableAttributes(item);
  const chunks = text(item, 'chunks');
  const summaries = Object.entries(item)
    .filter(([name]) => name.startsWith(SUMMARY))
    .map(([name, packed]) => [Number(name.slice(SUMMARY.length)), unpackSummary(packed)] as const);
  const changed = item[TABLE.changedResults];
  return {
    ...members(item, { company_id: text, import_id: text, created_at: text, fingerprint: text, attempt_id: text }),
    ...members(item, LISTED),
    ...shownCreator(storedCreator(item, 'created_by')),
    ...(item['replace'] === true && { replace: true }),
    ...(item['archive'] === true && { archive: true }),
    chunks: chunks === '' ? [] : chunks.split(' ').map(unpackChunk),
    summaries: Object.fromEntries(summaries),
    resends: number(item, 'resends'),
    ...storedMembers(item, {
      due_at: text,
      planned_by: text,
      archived_until: text,
      expires_at: text,
      closing_at: text,
      digests: unpackDigests,
    }),
    ...(changed !== undefined && { changed_results: number(item, TABLE.changedResults) }),
    ...(item['end_is_owed'] === true && { end_is_owed: true }),
  };
}

const LISTED = {
  dry_run: flag,
  status: oneOf(IMPORT_STATUSES),
  total: number,
  run_id: textOrNull,
  completed_at: textOrNull,
  cancelled_at: textOrNull,
  reverted_at: textOrNull,
};

/** The attributes that come with the terminal status: its counts in the lists, and the list of its status. */
export function ended(item: Pick<ImportItem, 'company_id' | 'status' | 'total' | 'summaries'>): Item {
  const { succeeded, failed, with_warnings, archived } = countsOf(item);
  return {
    status: item.status,
    final_counts: [succeeded, failed, with_warnings, ...(archived > 0 ? [archived] : [])].join(' '),
    ...(hasListOfItsOwn(item.status) && {
      [importsByStatus.partitionKey]: importsOfStatusPartition(item.company_id, item.status),
    }),
  };
}

/** Whether this status has a list of its own. Others are searched for among all: a successful import costs no entry. */
export function hasListOfItsOwn(status: ImportItem['status']): boolean {
  return status === 'error' || status === 'partial_success';
}

/** An entry as the list shows it. `final_counts` is `succeeded failed with_warnings`, set at the end; and `archived`, if not 0. */
export function unpackListed(entry: Item): ImportSummary {
  const { created_at, import_id } = positionOf(entry);
  const { total, status, dry_run, ...others } = members(entry, LISTED);
  const { final_counts = '0 0 0' } = storedMembers(entry, { final_counts: text });
  const [succeeded = 0, failed = 0, with_warnings = 0, archived = 0] = final_counts.split(' ').map(Number);
  return {
    import_id,
    company_id: companyOf(entry),
    status,
    dry_run,
    created_at,
    ...shownCreator(storedCreator(entry, 'created_by')),
    ...others,
    counts: { total, processed: succeeded + failed, succeeded, failed, archived, with_warnings },
  };
}

export const positionOf = (entry: Item): ImportPosition => positionIn(text(entry, importsByCompany.sortKey));

/** The import as lists and events show it. */
export function importWithoutRecords(item: ImportItem): ImportSummary {
  const { import_id, company_id, status, dry_run, created_at, created_by, created_by_client, run_id } = item;
  const { completed_at, cancelled_at, reverted_at } = item;
  const created = { import_id, company_id, status, dry_run, created_at, created_by, created_by_client, run_id };
  return { ...created, completed_at, cancelled_at, reverted_at, counts: countsOf(item) };
}

/** The company in an item's own key; it cannot hold a `#`. */
function companyOf(item: Item): string {
  const [company_id = ''] = text(item, TABLE.partitionKey).split('#', 1);
  return company_id;
}

/** The counts that a poll shows: those of the chunks that are summarised. They only grow. */
export function countsOf(item: Pick<ImportItem, 'total' | 'summaries'>): ImportCounts {
  const summaries = Object.values(item.summaries);
  const sum = (member: 'succeeded' | 'failed' | 'archived' | 'with_warnings') =>
    summaries.reduce((total, summary) => total + (summary[member] ?? 0), 0);
  const [succeeded, failed] = [sum('succeeded'), sum('failed')];
  const [archived, with_warnings] = [sum('archived'), sum('with_warnings')];
  return { total: item.total, processed: succeeded + failed, succeeded, failed, archived, with_warnings };
}

/** The same for an item that may be absent. Authorisation takes it as an argument (`accessStore`). */
export function optionalImport(item: Item | undefined): ImportItem | undefined {
  return item === undefined ? undefined : unpackImport(item);
}

/** A summary is an attribute of its own, so that it can be set once without knowing the others. */
export function summaryName(chunk: number): string {
  return `${SUMMARY}${chunk}`;
}

/** Members that are 0 or empty are left out: a large import has many summaries, and most consist of one number. */
export function packSummary(summary: ChunkSummary): string {
  const members = Object.entries(summary).filter(([, value]) => (Array.isArray(value) ? value.length : value) > 0);
  return JSON.stringify(Object.fromEntries(members));
}

const NOTHING: ChunkSummary = { succeeded: 0, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };

function unpackSummary(packed: unknown): ChunkSummary {
  return { ...NOTHING, ...(JSON.parse(String(packed)) as Partial<ChunkSummary>) };
}

function packChunk({ first_index, size, payload_hash }: ChunkRef): string {
  return `${first_index}+${size}:${payload_hash}`;
}

function unpackChunk(packed: string): ChunkRef {
  const [first_index, size, payload_hash = ''] = packed.split(/[+:]/);
  return { first_index: Number(first_index), size: Number(size), payload_hash };
}

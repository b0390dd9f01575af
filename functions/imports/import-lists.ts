/** Lists of a company's imports and runs, newest first. They read indexes whose entries hold every member that is shown. */
import type { StoredCreator } from '../auth/creator.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import type { Change } from '../dynamodb/expressions.ts';
import { itemIsAbsent, putItem, batchGet, updateItem } from '../dynamodb/items.ts';
import { queryAll, queryPage } from '../dynamodb/queries.ts';
import { INDEX, importKey, importsListPartition, importsOfStatusPartition } from '../dynamodb/table.ts';
import { placeOf, runKey, runPartition, runsListPartition, type Index } from '../dynamodb/table.ts';
import { hasListOfItsOwn, importWithoutRecords, positionOf, unpackImport, unpackListed } from './import-item.ts';
import type { ImportItem, ImportStatus, ImportSummary, ImportPosition, Instant, Run, RunIds } from '../shared/model.ts';

/** The filters of the list of imports (§4.8). `created_since` is included, `created_before` is not. */
export interface ImportFilter {
  readonly status?: ImportStatus | undefined;
  readonly run_id?: string | undefined;
  readonly created_since?: Instant | undefined;
  readonly created_before?: Instant | undefined;
}

export type ListedRun = Pick<Run, 'run_id' | 'created_at'>;

/** Up to as many items as were asked for. `searchedTo`: there may be more, after this position. */
interface Page<Listed, Position> {
  readonly items: readonly Listed[];
  readonly searchedTo?: Position;
}

const { importsByCompany, importsByRun, importsByStatus } = INDEX;

/** Entries that one request searches for a status that has no list of its own. */
const SEARCHED = 400;
/** A page ends after so many imports that are processing: each is read itself, strongly, because only it has its counts. */
const PROCESSING_ON_A_PAGE = 25;
/** Come before and after every time and place. */
export const [FIRST, LAST] = ['0', '~'] as const;

/** Lists of imports and runs. They are read from indexes, so an import that was just accepted may be missing. */
export function importLists(database: Database) {
  return {
    /** Imports newest first, strictly after the position. Reads a bounded number of entries, whatever the filter matches. */
    async list(
      company_id: string,
      limit: number,
      filter: ImportFilter = {},
      after?: ImportPosition,
    ): Promise<Page<ImportSummary, ImportPosition>> {
      const { index, partition, where } = listOf(company_id, filter);
      const between = [filter.created_since ?? FIRST, filter.created_before ?? LAST] as const;
      if (between[0] > between[1]) return { items: [] };
      const { items: entries, last } = await queryPage(database, {
        index,
        partition,
        where,
        between,
        newestFirst: true,
        limit: where === undefined ? limit : SEARCHED,
        after: after && entryKey(company_id, after, { index, partition }),
      });
      const found = upToProcessing(entries.slice(0, limit));
      const isWhole = found.length === entries.length;
      const items = await refreshed(database, found);
      const end = isWhole ? last : found.at(-1);
      return {
        items: items.filter(({ status }) => filter.status === undefined || status === filter.status),
        ...(end && { searchedTo: positionOf(end) }),
      };
    },

    /** A page of all imports of the company, oldest first, strictly after the position. */
    async walk(company_id: string, limit: number, after?: ImportPosition): Promise<ImportSummary[]> {
      const at = listOf(company_id, {});
      const from = after && entryKey(company_id, after, at);
      return (await queryPage(database, { ...at, limit, after: from })).items.map(unpackListed);
    },

    async importsOfRun(run: RunIds): Promise<ImportSummary[]> {
      const entries = await queryAll(database, { index: importsByRun, partition: runPartition(run) });
      const real = entries.filter((entry) => entry['dry_run'] === false);
      return refreshed(database, real);
    },

    /**
     * Makes the run if there is none. A real import also ends its being a draft, and notes on it that counts which were kept before
     * may lack an import: it must be committed within a minute.
     */
    async putRun(run: RunIds, { dry_run, ...made }: RunMade & { readonly dry_run: boolean }): Promise<void> {
      const item = newRun(run, made);
      if (dry_run) await putItem(database, item, itemIsAbsent);
      else await updateItem(database, runKey(run), beginsImporting(item, made.created_at));
    },

    /** Runs newest first, up to `limit`, strictly after the position. */
    async listRuns(company_id: string, limit: number, after?: ListedRun): Promise<ListedRun[]> {
      const { items } = await queryPage(database, {
        index: importsByCompany,
        partition: runsListPartition(company_id),
        newestFirst: true,
        limit,
        after: after && runEntryKey(company_id, after),
      });
      return items.map((entry) => {
        const sort = String(entry[importsByCompany.sortKey]);
        const [created_at = ''] = sort.split('#', 1);
        return { created_at, run_id: sort.slice(created_at.length + 1) };
      });
    },
  };
}

export type ArchiveLists = ReturnType<typeof archiveLists>;

export function archiveLists(database: Database) {
  return {
    /**
     * The imports among up to `limit` of the company, or of a run, that archived records or may have, newest first, from this
     * position on; and the last one that was read if there may be more.
     */
    async listArchiving(
      company_id: string,
      run_id: string | undefined,
      limit: number,
      from?: ImportPosition,
    ): Promise<Page<ImportSummary, ImportPosition>> {
      const { index, partition } = listOf(company_id, { run_id });
      const between = [FIRST, from === undefined ? LAST : placeOf(from)] as const;
      const { items: entries, last } = await queryPage(database, {
        index,
        partition,
        between,
        newestFirst: true,
        limit,
      });
      const items = entries.map(unpackListed).filter(mayHaveArchived);
      return { items, ...(last && { searchedTo: positionOf(last) }) };
    },
  };
}

/** The counts of an open import are not in the list. What a revert took back is not in the archive. */
const mayHaveArchived = ({ dry_run, reverted_at, status, counts: { archived } }: ImportSummary): boolean =>
  !dry_run && reverted_at === null && (status === 'processing' || archived > 0);

export type RunReader = ReturnType<typeof runReader>;

export function runReader(database: Database) {
  /** The real imports among up to `limit` of a run as they are listed, oldest first, from this position on, and the last one that was read if there may be more. */
  const importsOfRunFrom = async (
    run: RunIds,
    from?: ImportPosition,
    limit = 1_000,
  ): Promise<Page<ImportSummary, ImportPosition>> => {
    const between = [from === undefined ? FIRST : placeOf(from), LAST] as const;
    const partition = runPartition(run);
    const { items: entries, last } = await queryPage(database, { index: importsByRun, partition, between, limit });
    const items = entries.map(unpackListed).filter(({ dry_run }) => !dry_run);
    return { items, ...(last && { searchedTo: positionOf(last) }) };
  };

  const readAll = async (company_id: string, ids: readonly string[]): Promise<ImportItem[]> => {
    const keys = ids.map((import_id) => importKey({ company_id, import_id }));
    return (await batchGet(database, keys, true)).flatMap((item) => (item === undefined ? [] : [unpackImport(item)]));
  };

  return {
    importsOfRunFrom,
    readAll,

    /** The imports themselves, up to `most` of those after the position whose entries, in one request, may be wanted. */
    async readOfRun(run: RunIds, { after, most, limit, mayBe = () => true }: WantedImports) {
      const isAfter = (entry: ImportPosition) => after === undefined || placeOf(entry) > placeOf(after);
      const { items: entries, searchedTo } = await importsOfRunFrom(run, after, limit);
      const candidates = entries.filter((entry) => isAfter(entry) && mayBe(entry));
      const chosen = candidates.slice(0, most);
      const ids = chosen.map(({ import_id }) => import_id);
      const end = candidates.length > most ? chosen.at(-1) : searchedTo;
      return { items: await readAll(run.company_id, ids), searchedTo: end };
    },
  };
}

interface WantedImports {
  readonly after: ImportPosition | undefined;
  readonly most: number;
  /** How many entries of the index are read. */
  readonly limit?: number;
  readonly mayBe?: (entry: ImportSummary) => boolean;
}

interface ListPartition {
  readonly index: Index;
  readonly partition: string;
  /** Conditions that the index does not cover: its entries are filtered by them. */
  readonly where?: Readonly<Record<string, unknown>> | undefined;
}

/** The index that answers these filters with the fewest entries read. */
export function listOf(company_id: string, { run_id, status }: ImportFilter): ListPartition {
  const where = status === undefined ? undefined : { status };
  if (run_id !== undefined) return { index: importsByRun, partition: runPartition({ company_id, run_id }), where };
  if (status !== undefined && hasListOfItsOwn(status))
    return { index: importsByStatus, partition: importsOfStatusPartition(company_id, status) };
  return { index: importsByCompany, partition: importsListPartition(company_id), where };
}

export const entryKey = (company_id: string, position: ImportPosition, { index, partition }: ListPartition): Item => ({
  ...importKey({ company_id, ...position }),
  [index.partitionKey]: partition,
  [index.sortKey]: placeOf(position),
});

/** Who made a run, and when. */
export interface RunMade {
  readonly created_at: Instant;
  readonly by: StoredCreator;
}

/** The attribute of a run that had a real import, or is about to. A run of an earlier release has no `version`. */
export const IMPORTED = 'imported';
/** Beside it, since when no other import of the run was about to be accepted. */
export const BEGUN_AT = 'begun_at';

/** A run as it is made: without any decision. */
export const newRun = (run: RunIds, { created_at, by }: RunMade) => ({
  ...runEntryKey(run.company_id, { created_at, run_id: run.run_id }),
  run_id: run.run_id,
  created_by: by,
  version: 0,
});

function beginsImporting({ pk: _, sk: _sort, ...made }: Item, begun_at: Instant): Change {
  return { setIfAbsent: made, set: { [IMPORTED]: true, [BEGUN_AT]: begun_at } };
}

const runEntryKey = (company_id: string, { created_at, run_id }: ListedRun) => ({
  ...runKey({ company_id, run_id }),
  [importsByCompany.partitionKey]: runsListPartition(company_id),
  [importsByCompany.sortKey]: `${created_at}#${run_id}`,
});

function upToProcessing(entries: readonly Item[]): readonly Item[] {
  const processing = [...entries.entries()].filter(([, { status }]) => status === 'processing');
  const last = processing[PROCESSING_ON_A_PAGE - 1];
  return last === undefined ? entries : entries.slice(0, last[0] + 1);
}

/** The entries as they are listed; of imports that are processing, as they are now. */
export async function refreshed(database: Database, entries: readonly Item[]): Promise<ImportSummary[]> {
  const processing = entries.filter(({ status }) => status === 'processing');
  const keys = processing.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  const items = keys.length === 0 ? [] : await batchGet(database, keys, true);
  const now = new Map(items.flatMap((item) => (item === undefined ? [] : [[item['pk'], unpackImport(item)] as const])));
  return entries.map((entry) => {
    const item = now.get(entry['pk']);
    return item === undefined ? unpackListed(entry) : importWithoutRecords(item);
  });
}

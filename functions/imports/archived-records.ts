/** The records of the archive as lists show them (§4.12): newest import first, in the order sent, until a later import stores them. */
import type { ArchiveReader, ArchivedPlace } from './archive.ts';
import type { ArchiveLists, RunReader } from './import-lists.ts';
import type { ProgressReader } from './progress-store.ts';
import { isOfCourse } from '../records/archived.ts';
import { externalRecordIdOf, learnerCourseId } from '../records/identifiers.ts';
import { byAcceptance } from '../records/versions.ts';
import { batchesOf } from '../runtime/batching.ts';
import { CHUNK_LIMITS } from '../shared/limits.ts';
import type {
  ArchivedEntry,
  CourseHistory,
  ImportItem,
  ImportPosition,
  ImportSummary,
  LearnerCourse,
  RecordErrorCode,
} from '../shared/model.ts';

/** `name`: of a person, as `spelledName` gives it. `course`: as it was sent. */
export interface ArchiveFilter {
  readonly run_id?: string | undefined;
  readonly name?: string | undefined;
  readonly course?: string | undefined;
  readonly error_code?: RecordErrorCode | undefined;
}

/** A place in the list: after the record with this index of this import. */
export type ArchivePosition = ImportPosition & { readonly index: number };

export interface ArchiveStores {
  readonly imports: ArchiveLists & Pick<RunReader, 'readAll'>;
  readonly archive: ArchiveReader;
  readonly progress: Pick<ProgressReader, 'identities' | 'courseHistories'>;
}

/** Of these a person's records are read. */
export type ArchivesOfPersons = Pick<ArchiveStores, 'archive' | 'progress'>;

interface Wanted {
  readonly limit: number;
  readonly after?: ArchivePosition | undefined;
}

/** A chunk that has archived records, the positions of those that are looked for, and where the search goes on after it. */
interface Candidate extends ImportPosition {
  readonly chunk: number;
  readonly positions?: readonly number[];
  readonly last: number;
}

/** Chunks that one request reads: about 3 units each. */
const MOST_CHUNKS = 40;
const READ_AT_ONCE = 8;
/** Entries of imports that one request goes through; of those that archived records it reads what so many chunks may be of. */
const ENTRIES_SEARCHED = 1_000;
const MOST_RECORDS = MOST_CHUNKS * CHUNK_LIMITS.records;

/** At least `limit` records after the position, if a bounded search finds them, with their places. */
export async function readArchive(
  company_id: string,
  filter: ArchiveFilter,
  { limit, after }: Wanted,
  stores: ArchiveStores,
): Promise<{ readonly items: readonly Placed[]; readonly searchedTo?: ArchivePosition }> {
  const source = filter.name === undefined ? ofImports : ofName;
  const found = await source(company_id, filter, after, stores);
  return readFound(company_id, found, { filter, limit, after }, stores);
}

/** The records, newest import first and at most `limit`, that are kept under any of these names (`spelledName`). */
export async function archivedUnder(
  company_id: string,
  names: ReadonlySet<string>,
  limit: number,
  stores: ArchivesOfPersons,
): Promise<ArchivedEntry[]> {
  const byPlace = new Map<string, Placed>();
  for (const name of names) {
    const filter = { name };
    const found = await ofName(company_id, filter, undefined, stores, limit);
    const { items } = await readFound(company_id, found, { filter, limit }, stores);
    for (const item of items) byPlace.set(`${item.position.import_id} ${item.position.index}`, item);
  }
  const inOrder = [...byPlace.values()].toSorted((a, b) => byPosition(a.position, b.position));
  return inOrder.slice(0, limit).map(({ entry }) => entry);
}

function byPosition(a: ArchivePosition, b: ArchivePosition): number {
  if (a.import_id === b.import_id) return a.index - b.index;
  return `${a.created_at} ${a.import_id}` > `${b.created_at} ${b.import_id}` ? -1 : 1;
}

/** The records of these chunks, up to `limit` of them. */
async function readFound(
  company_id: string,
  { candidates, searchedTo }: Found,
  { filter, limit, after }: Wanted & { readonly filter: ArchiveFilter },
  stores: ArchivesOfPersons,
): ReturnType<typeof readArchive> {
  const items: Placed[] = [];
  for (const some of batchesOf(candidates, READ_AT_ONCE)) {
    const matches = await matchesIn(company_id, some, { filter, after }, stores.archive);
    // To know whether a record was stored later costs a read of its id: only of those that the page has room for.
    while (matches.length > 0 && items.length < limit) {
      const next = matches.splice(0, limit - items.length);
      items.push(...(await leftIn(company_id, next, stores.progress)));
    }
    const last = items.at(-1);
    if (last !== undefined && items.length >= limit) return { items, searchedTo: last.position };
  }
  return { items, ...(searchedTo && { searchedTo }) };
}

interface Placed {
  readonly position: ArchivePosition;
  readonly entry: ArchivedEntry;
}

const afterChunk = ({ created_at, import_id, last }: Candidate): ArchivePosition => ({
  created_at,
  import_id,
  index: last,
});

interface Found {
  readonly candidates: readonly Candidate[];
  /** Absent where the search came to the end. */
  readonly searchedTo?: ArchivePosition | undefined;
}

type Source = (
  company_id: string,
  filter: ArchiveFilter,
  after: ArchivePosition | undefined,
  stores: ArchiveStores,
) => Promise<Found>;

/** The chunks of the company's imports, or of a run's, that have archived records. */
const ofImports: Source = async (company_id, { run_id }, after, { imports }) => {
  const listed = await imports.listArchiving(company_id, run_id, ENTRIES_SEARCHED, after);
  const chosen = upToRecords(listed.items);
  const items = await imports.readAll(
    company_id,
    chosen.map(({ import_id }) => import_id),
  );
  const chunks = items.flatMap((item) => chunksOf(item, item.import_id === after?.import_id ? after.index : -1));
  const candidates = chunks.slice(0, MOST_CHUNKS);
  const lastImport = chosen.length < listed.items.length ? chosen.at(-1) : listed.searchedTo;
  const end = lastImport && { ...positionOf(lastImport), index: Number.MAX_SAFE_INTEGER };
  const lastChunk = candidates.at(-1);
  const isCut = lastChunk !== undefined && candidates.length < chunks.length;
  return { candidates, searchedTo: isCut ? afterChunk(lastChunk) : end };
};

/** The first of these imports, as far as a request reads their chunks. Each has one at least. */
function upToRecords(listed: readonly ImportSummary[]): readonly ImportSummary[] {
  let records = 0;
  const last = listed.findIndex(({ counts }) => (records += counts.archived) >= MOST_RECORDS);
  return listed.slice(0, Math.min(MOST_CHUNKS, last === -1 ? MOST_CHUNKS : last + 1));
}

const positionOf = ({ created_at, import_id }: ImportPosition): ImportPosition => ({ created_at, import_id });

function chunksOf({ created_at, import_id, chunks, summaries }: ImportItem, after: number): Candidate[] {
  return chunks.flatMap(({ first_index, size }, chunk) => {
    const last = first_index + size - 1;
    if (last <= after || (summaries[chunk]?.archived ?? 0) === 0) return [];
    return [{ created_at, import_id, chunk, last }];
  });
}

/** The chunks that have records of a person. They are stored newest first, those of an import too: they are put in order. */
async function ofName(
  company_id: string,
  { name = '' }: ArchiveFilter,
  after: ArchivePosition | undefined,
  { archive }: ArchivesOfPersons,
  most = MOST_CHUNKS,
): Promise<Found> {
  const places: ArchivedPlace[] = [];
  const from = after && { ...positionOf(after), chunk: AFTER_ALL_CHUNKS };
  let isWhole = true;
  for await (const place of archive.archivedPlaces(company_id, name, from)) {
    const isOfAnother = place.import_id !== places.at(-1)?.import_id;
    if (isOfAnother && places.length >= most) {
      isWhole = false;
      break;
    }
    places.push(place);
  }
  const candidates = [...Map.groupBy(places, ({ import_id }) => import_id).values()].flatMap((group) =>
    group.toReversed().map((place) => ({ ...place, last: Math.max(...place.positions) })),
  );
  const last = candidates.at(-1);
  return { candidates, searchedTo: isWhole ? undefined : last && afterChunk(last) };
}

/** As a chunk, it comes after each that an import has. */
const AFTER_ALL_CHUNKS = 9_999;

/** The records of these chunks that the filter asks for. */
async function matchesIn(
  company_id: string,
  candidates: readonly Candidate[],
  { filter, after }: { readonly filter: ArchiveFilter; readonly after?: ArchivePosition | undefined },
  archive: ArchiveReader,
): Promise<Placed[]> {
  const kept = await archive.readArchived(company_id, candidates);
  const { run_id, course, error_code } = filter;
  return candidates.flatMap(({ positions, ...of }, at) => {
    const chunk = kept[at];
    if (chunk === undefined || (run_id !== undefined && chunk.run_id !== run_id)) return [];
    const isNext = (index: number) => of.import_id !== after?.import_id || index > after.index;
    return Object.entries(chunk.archived).flatMap(([position, { record, errors }]) => {
      const index = Number(position);
      const isWanted =
        isNext(index) &&
        (positions === undefined || positions.includes(index)) &&
        (course === undefined || isOfCourse(record, course)) &&
        (error_code === undefined || errors.some((error) => error.error_code === error_code));
      return isWanted ? [placed(of, index, { run_id: chunk.run_id, errors, record })] : [];
    });
  });
}

function placed(
  { import_id, created_at }: ImportPosition,
  index: number,
  { run_id, errors, record }: Pick<ArchivedEntry, 'run_id' | 'errors' | 'record'>,
): Placed {
  const external_record_id = externalRecordIdOf(record);
  return {
    position: { created_at, import_id, index },
    entry: { import_id, index, run_id, archived_at: created_at, external_record_id, errors, record },
  };
}

/** "While no import accepted later has stored something under its external_record_id": without that one it is back. */
async function leftIn(
  company_id: string,
  found: readonly Placed[],
  { identities, courseHistories }: ArchiveStores['progress'],
): Promise<Placed[]> {
  const ids = [...new Set(found.flatMap(({ entry }) => entry.external_record_id ?? []))];
  const bound = ids.length === 0 ? new Map<string, LearnerCourse>() : await identities(company_id, ids);
  const histories =
    bound.size === 0 ? new Map<string, CourseHistory>() : await courseHistories(company_id, [...bound.values()]);
  const isStoredLater = ({ position, entry: { external_record_id } }: Placed): boolean => {
    const pair = bound.get(external_record_id ?? '');
    const { contributions = [] } = (pair && histories.get(learnerCourseId(pair))) ?? {};
    const archived = { imported_at: position.created_at, import_id: position.import_id, index: position.index };
    return contributions.some(
      (each) => each.external_record_id === external_record_id && byAcceptance(each, archived) > 0,
    );
  };
  return found.filter((each) => !isStoredLater(each));
}

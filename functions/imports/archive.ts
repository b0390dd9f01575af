/** The archive (§4.12) as it is stored: an item for the kept records of a chunk, and one for each name in them, which leads to it. */
import type { Database, Item } from '../dynamodb/client.ts';
import { nullable, text } from '../dynamodb/attributes.ts';
import { compressJson, unpackJson } from '../dynamodb/encoding.ts';
import { batchGet, deleteItems, putItem, putItems } from '../dynamodb/items.ts';
import { query } from '../dynamodb/queries.ts';
import { TABLE, archiveKey, archivedKey, archivedPartition, positionIn, type Key } from '../dynamodb/table.ts';
import { archivedIn, positionsByName, type Archived } from '../records/archived.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportIds, ImportItem, ImportPosition, Plan } from '../shared/model.ts';

/** The attribute with the records of a chunk, and the one with their positions beside a name. */
export const ARCHIVE = 'archive';
const POSITIONS = 'positions';
const RUN = 'run_id';

/** The import of archived records; `archived_until` is absent where it asked for none. */
export type ArchivedImport = ImportIds & ImportPosition & Pick<ImportItem, 'run_id' | 'chunks' | 'archived_until'>;

/** A chunk with records of a person. */
export interface ArchivedPlace extends ImportPosition {
  readonly chunk: number;
  /** Positions in the import of the records that have the name. */
  readonly positions: readonly number[];
}

interface ChunkPlace {
  readonly import_id: string;
  readonly chunk: number;
}

/** What is kept of a chunk, and the run of its import. */
export interface ArchivedChunk {
  readonly run_id: string | null;
  readonly archived: Archived;
}

export type ArchiveStore = ReturnType<typeof archiveStore>;
export type ArchiveReader = ReturnType<typeof archiveReader>;

/** Few people have records in more chunks. */
const PLACES_AT_ONCE = 100;

/** Reads what is kept. DynamoDB deletes what has expired late, and in any order: until then it is as if it were gone. */
export function archiveReader(database: Database) {
  const hasExpired = (item: Item) => Number(item[TABLE.expiresAt]) * 1000 <= database.nowMs();

  const readItems = async (company_id: string, chunks: readonly ChunkPlace[]): Promise<(Item | undefined)[]> => {
    const keys = chunks.map(({ import_id, chunk }) => archiveKey({ company_id, import_id }, chunk));
    return batchGet(database, keys, true);
  };

  return {
    /** What is kept of these chunks, in their order; `undefined` where nothing is. Strongly consistent. */
    async readArchived(company_id: string, chunks: readonly ChunkPlace[]): Promise<(ArchivedChunk | undefined)[]> {
      const items = await readItems(company_id, chunks);
      return items.map((item) => (item === undefined || hasExpired(item) ? undefined : unpack(item)));
    },

    /** The same, also what has expired and is not deleted yet: only lists may leave it out. */
    async readStored(company_id: string, chunks: readonly ChunkPlace[]): Promise<(ArchivedChunk | undefined)[]> {
      const items = await readItems(company_id, chunks);
      return items.map((item) => item && unpack(item));
    },

    /** The chunks that have records of a person by this name (`spelledName`), newest import first, after the place. */
    async *archivedPlaces(company_id: string, name: string, after?: ImportPosition & { readonly chunk: number }) {
      const partition = archivedPartition(company_id, name);
      const from = after && archivedKey({ company_id, ...after }, after.chunk, name);
      const places = query(database, { partition, newestFirst: true, after: from, atOnce: PLACES_AT_ONCE });
      for await (const item of places) if (!hasExpired(item)) yield placeIn(item);
    },
  };
}

/**
 * Puts, replaces and removes what an import archives. Every call may be repeated. The records of a chunk are stored before the
 * names in them and removed after them, so that no name is left behind.
 */
export function archiveStore(database: Database) {
  const reader = archiveReader(database);

  async function put(item: ArchivedImport, chunk: number, archived: Archived): Promise<void> {
    const kept = { [ARCHIVE]: compressJson(archived), [RUN]: item.run_id, ...expiryOf(item) };
    await putItem(database, { ...archiveKey(item, chunk), ...kept });
    await putItems(database, nameItems(item, chunk, archived));
  }

  async function dropNames(item: ArchivedImport, chunk: number, archived: Archived): Promise<void> {
    const keys = [...positionsByName(archived).keys()].map((name) => archivedKey(item, chunk, name));
    await deleteItems(database, keys);
  }

  return {
    ...reader,

    /** Keeps the records that the stored plan of a chunk archives. */
    async putArchived(item: ArchivedImport, chunk: number, plan: Plan): Promise<void> {
      const archived = item.archived_until === undefined ? {} : archivedIn(plan);
      if (Object.keys(archived).length > 0) await put(item, chunk, archived);
    },

    /** Keeps these records of a chunk and no others: those that are not `left` are removed, with their names. */
    async replaceArchived(item: ArchivedImport, chunk: number, stored: Archived, left: Archived): Promise<void> {
      const names = positionsByName(left);
      const gone = Object.entries(stored).filter(([index]) => !(index in left));
      const goneNames = [...positionsByName(Object.fromEntries(gone)).keys()];
      const unnamed = goneNames.filter((name) => !names.has(name));
      const keys = unnamed.map((name) => archivedKey(item, chunk, name));
      await deleteItems(database, keys);
      if (names.size > 0) await put(item, chunk, left);
      else await deleteItems(database, [archiveKey(item, chunk)]);
    },

    /** Removes all that an import archived. */
    async removeArchived(item: ArchivedImport): Promise<void> {
      if (item.archived_until === undefined) return;
      const chunks = [...item.chunks.keys()].map((chunk) => ({ import_id: item.import_id, chunk }));
      const stored = await reader.readStored(item.company_id, chunks);
      const kept = stored.flatMap((each, chunk) => (each === undefined ? [] : [{ chunk, ...each }]));
      await inParallel(kept, AT_ONCE, async ({ chunk, archived }) => dropNames(item, chunk, archived));
      const keys = kept.map(({ chunk }) => archiveKey(item, chunk));
      await deleteItems(database, keys);
    },
  };
}

const AT_ONCE = 4;

const nameItems = (item: ArchivedImport, chunk: number, archived: Archived): (Key & Item)[] =>
  [...positionsByName(archived)].map(([name, positions]) => ({
    ...archivedKey(item, chunk, name),
    [POSITIONS]: positions.join(' '),
    ...expiryOf(item),
  }));

function expiryOf({ archived_until = '' }: ArchivedImport): Item {
  return { [TABLE.expiresAt]: Math.ceil(Date.parse(archived_until) / 1000) };
}

function unpack(item: Item): ArchivedChunk {
  return { run_id: nullable(text)(item, RUN), archived: unpackJson(item[ARCHIVE]) as Archived };
}

function placeIn(item: Item): ArchivedPlace {
  const [created_at = '', import_id = '', chunk] = text(item, TABLE.sortKey).split('#');
  const positions = text(item, POSITIONS).split(' ').map(Number);
  return { ...positionIn(`${created_at}#${import_id}`), chunk: Number(chunk), positions };
}

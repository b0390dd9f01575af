import { members, number, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { anyOf, isBelow, isPresent } from '../dynamodb/expressions.ts';
import {
  found,
  getItem,
  itemIsAbsent,
  putItem,
  batchGet,
  deleteItem,
  deleteItems,
  putItems,
} from '../dynamodb/items.ts';
import { querySharded } from '../dynamodb/queries.ts';
import { TABLE, courseMappingKey, userMappingKey, userMappingsChangeKey } from '../dynamodb/table.ts';
import type { Key, Sharded } from '../dynamodb/table.ts';
import type { CourseMapping, UserMapping } from '../shared/model.ts';

export type MappingStore = ReturnType<typeof mappingStore>;

/**
 * This long after the note of a change an eventual read finds it: its writer has ended (29 s), clocks differ by a second at most,
 * and DynamoDB, which promises no time, has had half a minute.
 */
const SETTLED_AFTER_MS = 60_000;

/** Registered links of external ids (§2.5, §2.6); lists are ordered by the UTF-8 bytes of the id. Reads are strongly consistent. */
export function mappingStore(database: Database) {
  const read = async <M>(
    ids: readonly string[],
    keyOf: (id: string) => Key,
    unpack: (item: Item) => M,
    strong = true,
  ) => found(ids, await batchGet(database, ids.map(keyOf), strong), unpack);

  const userMappings = (company_id: string, ids: readonly string[], strong = true) =>
    read(ids, (id) => userMappingKey(company_id, id), unpackUserMapping, strong);

  /** The note never goes back: it is as late as the latest change that has started. */
  const noteChange = async (company_id: string): Promise<void> => {
    const changed_at_ms = database.nowMs();
    const isLater = anyOf(itemIsAbsent, isBelow('changed_at_ms', changed_at_ms));
    await putItem(database, { ...userMappingsChangeKey(company_id), changed_at_ms }, isLater);
  };

  const changedLately = async (company_id: string): Promise<boolean> => {
    const startedAtMs = database.nowMs();
    const note = await getItem(database, userMappingsChangeKey(company_id));
    return note !== undefined && number(note, 'changed_at_ms') > startedAtMs - SETTLED_AFTER_MS;
  };

  const list =
    <M>(kind: Sharded, unpack: (item: Item) => M) =>
    async (company_id: string, limit: number, after?: string): Promise<M[]> =>
      (await querySharded(database, { company_id, kind, limit, after, strong: true })).map(unpack);

  return {
    userMappings: (company_id: string, ids: readonly string[]) => userMappings(company_id, ids),
    courseMappings: (company_id: string, ids: readonly string[]) =>
      read(ids, (id) => courseMappingKey(company_id, id), unpackCourseMapping),

    /** For many records at half the price: read eventually, unless a user mapping of the company was changed lately. */
    async userMappingsOfRecords(company_id: string, ids: readonly string[]): Promise<Map<string, UserMapping>> {
      if (ids.length === 0 || (await changedLately(company_id))) return userMappings(company_id, ids);
      const known = await userMappings(company_id, ids, false);
      const missing = ids.filter((id) => !known.has(id));
      return new Map([...known, ...(await userMappings(company_id, missing))]);
    },

    listUserMappings: list('user-mappings', unpackUserMapping),
    listCourseMappings: list('course-mappings', unpackCourseMapping),

    async putUserMappings(company_id: string, mappings: readonly UserMapping[]): Promise<void> {
      await noteChange(company_id);
      const keyOf = (id: string) => userMappingKey(company_id, id);
      const items = mappings.map(({ external_user_id, ...link }) => ({ ...keyOf(external_user_id), ...link }));
      await putItems(database, items);
    },

    async removeUserMappings(company_id: string, ids: readonly string[]): Promise<void> {
      await noteChange(company_id);
      const keys = ids.map((id) => userMappingKey(company_id, id));
      await deleteItems(database, keys);
    },

    /** Returns whether there was one. */
    async removeUserMapping(company_id: string, id: string): Promise<boolean> {
      await noteChange(company_id);
      return deleteItem(database, userMappingKey(company_id, id), isPresent('user_id'));
    },

    removeCourseMapping: (company_id: string, id: string): Promise<boolean> =>
      deleteItem(database, courseMappingKey(company_id, id), isPresent('platform_course_id')),

    putCourseMappings(company_id: string, mappings: readonly CourseMapping[]): Promise<void> {
      const keyOf = (id: string) => courseMappingKey(company_id, id);
      const items = mappings.map(({ external_course_id, ...link }) => ({ ...keyOf(external_course_id), ...link }));
      return putItems(database, items);
    },
  };
}

/** The external id is the sort key and is not stored twice. */
function unpackUserMapping(item: Item): UserMapping {
  return {
    external_user_id: text(item, TABLE.sortKey),
    ...members(item, { email: text, user_id: number, updated_at: text }),
  };
}

function unpackCourseMapping(item: Item): CourseMapping {
  return {
    external_course_id: text(item, TABLE.sortKey),
    ...members(item, { platform_course_id: number, updated_at: text }),
  };
}

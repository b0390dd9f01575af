/** Registered links of external user and course ids, as items and how they are read and written. */
import { batchGet, deleteItems, putItems } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { found } from '../dynamodb/items.ts';
import { querySharded } from '../dynamodb/queries.ts';
import { TABLE, courseMappingKey, userMappingKey } from '../dynamodb/table.ts';
import type { Key, Sharded } from '../dynamodb/table.ts';
import type { CourseMapping, UserMapping } from '../shared/model.ts';

export type MappingStore = ReturnType<typeof mappingStore>;

/** Registered links of external ids (§2.5, §2.6); lists are ordered by the UTF-8 bytes of the id. All reads are strongly consistent. */
export function mappingStore(database: Database) {
  const read = async <M>(ids: readonly string[], keyOf: (id: string) => Key, unpack: (item: Item) => M) =>
    found(ids, await batchGet(database, ids.map(keyOf), true), unpack);

  const list = async <M>(
    kind: Sharded,
    { unpack, ...page }: { company_id: string; limit: number; after: string | undefined; unpack: (item: Item) => M },
  ) => (await querySharded(database, { ...page, kind, strong: true })).map(unpack);

  return {
    /** By external id. */
    userMappings: (company_id: string, ids: readonly string[]) =>
      read(ids, (id) => userMappingKey(company_id, id), unpackUserMapping),
    courseMappings: (company_id: string, ids: readonly string[]) =>
      read(ids, (id) => courseMappingKey(company_id, id), unpackCourseMapping),

    /** Strictly after the external id `after`. */
    listUserMappings: (company_id: string, limit: number, after?: string) =>
      list('user-mappings', { company_id, limit, after, unpack: unpackUserMapping }),
    listCourseMappings: (company_id: string, limit: number, after?: string) =>
      list('course-mappings', { company_id, limit, after, unpack: unpackCourseMapping }),

    putUserMappings(company_id: string, mappings: readonly UserMapping[]): Promise<void> {
      return putItems(
        database,
        mappings.map(({ external_user_id, ...link }) => ({ ...userMappingKey(company_id, external_user_id), ...link })),
      );
    },

    removeUserMappings(company_id: string, ids: readonly string[]): Promise<void> {
      return deleteItems(
        database,
        ids.map((id) => userMappingKey(company_id, id)),
      );
    },

    putCourseMappings(company_id: string, mappings: readonly CourseMapping[]): Promise<void> {
      return putItems(
        database,
        mappings.map(({ external_course_id, ...link }) => ({
          ...courseMappingKey(company_id, external_course_id),
          ...link,
        })),
      );
    },
  };
}

/** The external id is the sort key: it is not stored twice. */
function unpackUserMapping(item: Item): UserMapping {
  const { email, user_id, updated_at } = item as unknown as UserMapping;
  return { external_user_id: String(item[TABLE.sortKey]), email, user_id, updated_at };
}

function unpackCourseMapping(item: Item): CourseMapping {
  const { platform_course_id, updated_at } = item as unknown as CourseMapping;
  return { external_course_id: String(item[TABLE.sortKey]), platform_course_id, updated_at };
}

/** Registered links of external user and course ids, as items and how they are read and written. */
import { batchGet, putItems } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { found } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { TABLE, courseMappingsPartition, mappingKey, userMappingsPartition } from '../dynamodb/table.ts';
import type { CourseMapping, UserMapping } from '../shared/model.ts';

export type MappingStore = ReturnType<typeof mappingStore>;

/** Registered links of external ids (§2.5, §2.6); lists are ordered by the UTF-8 bytes of the id. All reads are strongly consistent. */
export function mappingStore(database: Database) {
  const read = async <M>(partition: string, ids: readonly string[], unpack: (item: Item) => M) =>
    found(
      ids,
      await batchGet(
        database,
        ids.map((id) => mappingKey(partition, id)),
        true,
      ),
      unpack,
    );

  const list = async <M>(partition: string, limit: number, after: string | undefined, unpack: (item: Item) => M) => {
    const bound = after === undefined ? undefined : ({ operator: '>', value: after } as const);
    const items = await queryAll(database, { partition, bound, limit, strong: true });
    return items.map(unpack);
  };

  return {
    /** By external id. */
    userMappings: (company_id: string, ids: readonly string[]) =>
      read(userMappingsPartition(company_id), ids, unpackUserMapping),
    courseMappings: (company_id: string, ids: readonly string[]) =>
      read(courseMappingsPartition(company_id), ids, unpackCourseMapping),

    /** Strictly after the external id `after`. */
    listUserMappings: (company_id: string, limit: number, after?: string) =>
      list(userMappingsPartition(company_id), limit, after, unpackUserMapping),
    listCourseMappings: (company_id: string, limit: number, after?: string) =>
      list(courseMappingsPartition(company_id), limit, after, unpackCourseMapping),

    putUserMappings(company_id: string, mappings: readonly UserMapping[]): Promise<void> {
      const partition = userMappingsPartition(company_id);
      return putItems(
        database,
        mappings.map(({ external_user_id, ...link }) => ({ ...mappingKey(partition, external_user_id), ...link })),
      );
    },

    putCourseMappings(company_id: string, mappings: readonly CourseMapping[]): Promise<void> {
      const partition = courseMappingsPartition(company_id);
      return putItems(
        database,
        mappings.map(({ external_course_id, ...link }) => ({ ...mappingKey(partition, external_course_id), ...link })),
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

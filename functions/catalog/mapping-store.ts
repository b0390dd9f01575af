/** What the records of an import refer to, and what applying them writes. */
import { batchGet, putItems } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { found } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { TABLE, courseMappingsPartition, mappingKey, userMappingsPartition } from '../dynamodb/table.ts';
import type { CourseMapping, UserMapping } from '../shared/model.ts';

/** Registered links of external ids (§2.5, §2.6); ordered by the UTF-8 bytes of the id. All reads are strongly consistent. */
export function mappingStore(database: Database): MappingStore {
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
    userMappings: (company_id, ids) => read(userMappingsPartition(company_id), ids, unpackUserMapping),
    courseMappings: (company_id, ids) => read(courseMappingsPartition(company_id), ids, unpackCourseMapping),
    listUserMappings: (company_id, limit, after) =>
      list(userMappingsPartition(company_id), limit, after, unpackUserMapping),
    listCourseMappings: (company_id, limit, after) =>
      list(courseMappingsPartition(company_id), limit, after, unpackCourseMapping),

    putUserMappings(company_id, mappings) {
      const partition = userMappingsPartition(company_id);
      return putItems(
        database,
        mappings.map(({ external_user_id, ...link }) => ({ ...mappingKey(partition, external_user_id), ...link })),
      );
    },

    putCourseMappings(company_id, mappings) {
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

export interface MappingStore {
  /** Strongly consistent. */
  userMappings(company_id: string, external_ids: readonly string[]): Promise<Map<string, UserMapping>>;
  courseMappings(company_id: string, external_ids: readonly string[]): Promise<Map<string, CourseMapping>>;
  putUserMappings(company_id: string, mappings: readonly UserMapping[]): Promise<void>;
  putCourseMappings(company_id: string, mappings: readonly CourseMapping[]): Promise<void>;
  /** Ordered by external id, strictly after it. */
  listUserMappings(company_id: string, limit: number, after?: string): Promise<UserMapping[]>;
  listCourseMappings(company_id: string, limit: number, after?: string): Promise<CourseMapping[]>;
}

import type { DirectoryStore } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import type { Database } from './database.ts';
import { unpackCourse, unpackUser } from './directory-items.ts';
import { found } from './found.ts';
import { catalogPartition, courseKey, paddedId, userKey } from './keys.ts';
import { queryAll } from './query.ts';

/** Users and courses of a company. A user is found under the address as asked for, whatever its letter case. */
export function directoryStore(database: Database): DirectoryStore {
  return {
    async users(company_id, emails, strong) {
      const items = await batchGet(
        database,
        emails.map((email) => userKey(company_id, email)),
        strong,
      );
      return found(emails, items, unpackUser);
    },

    async courses(company_id, ids, strong) {
      const items = await batchGet(
        database,
        ids.map((id) => courseKey(company_id, id)),
        strong,
      );
      return found(ids, items, unpackCourse);
    },

    async listCourses(company_id, limit, after) {
      const bound = after === undefined ? undefined : ({ operator: '>', value: paddedId(after) } as const);
      const items = await queryAll(database, { partition: catalogPartition(company_id), bound, limit });
      return items.map(unpackCourse);
    },
  };
}

import type { PlatformDataStore } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import { putItems } from './batch-write.ts';
import type { Database } from './database.ts';
import { packCourse, packUser, unpackCompany } from './directory-items.ts';
import { found } from './found.ts';
import { inParallel } from './in-parallel.ts';
import { companyKey, dataFileKey, learnerCourseKey, loginKey } from './keys.ts';
import { NATIVE } from './learner-course-item.ts';
import { packJson } from './packed-json.ts';
import { getItem, putItem, updateItem } from './single-item.ts';

const PARALLEL_UPDATES = 25;

/** What the platform owns, as a data file gives it: upserts that never touch what was migrated. */
export function platformDataStore(database: Database): PlatformDataStore {
  return {
    async isLoaded(file_hash) {
      return (await getItem(database, dataFileKey(file_hash))) !== undefined;
    },

    async markLoaded(file_hash) {
      await putItem(database, dataFileKey(file_hash));
    },

    async putCompanies(companies) {
      await inParallel(companies, PARALLEL_UPDATES, ({ cursor_key, ...company }) =>
        updateItem(database, companyKey(company.company_id), { set: company, setIfAbsent: { cursor_key } }),
      );
    },

    /** The login entry comes last: whoever it leads to is there. */
    async putUsers(users) {
      await putItems(database, users.map(packUser));
      await putItems(
        database,
        users.map(({ company_id, email }) => ({ ...loginKey(email), company_id })),
      );
    },

    async putCourses(company_id, courses) {
      await putItems(
        database,
        courses.map((course) => packCourse(company_id, course)),
      );
    },

    async putNativeProgress(rows) {
      await inParallel(rows, PARALLEL_UPDATES, ({ company_id, user_id, platform_course_id, progress }) =>
        updateItem(database, learnerCourseKey(company_id, user_id, platform_course_id), {
          set: { [NATIVE]: packJson(progress) },
        }),
      );
    },

    async companies(ids) {
      return found(ids, await batchGet(database, ids.map(companyKey), true), unpackCompany);
    },
  };
}
